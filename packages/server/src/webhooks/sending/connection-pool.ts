import { TimerQueue } from '../../clock/index.ts';
import type { Connection } from './connection.ts';
import type { EarlyEnd } from './early-end.ts';
import type { Dial } from './handshake.ts';
import type { Target } from './url-rules.ts';

/** Connections of one origin: the number of open ones, the free ones, and the waiting attempts. */
interface Origin {
  open: number;
  readonly free: Connection[];
  readonly waiting: Waiter[];
}

/** Called when a connection may be free, or one may be dialed. */
type Waiter = (turn: 'free' | 'dial') => void;

/** How long an attempt waits for a busy connection. A handshake takes longer, and costs both ends more. */
const DIAL_AFTER_MS = 5;

export interface PoolLimits {
  /** Connections that are open to one origin at the same time. */
  perOrigin: number;
  /** Connections that are kept open without a request, to all origins together. */
  kept: number;
}

/**
 * The open connections, by origin. An origin is removed with its last connection, and the oldest kept one is evicted,
 * so ten thousand receivers that are called once leave nothing behind.
 *
 * The library's own Agent also drops its origins, but does not reveal which connection a request used, and so neither
 * its address nor whether it had been kept.
 */
export class ConnectionPool {
  readonly #dial: Dial;
  readonly #limits: PoolLimits;
  readonly #origins = new Map<string, Origin>();
  readonly #kept = new Set<Connection>();
  readonly #dialing = new TimerQueue(DIAL_AFTER_MS);
  #isClosed = false;

  constructor(dial: Dial, limits: PoolLimits) {
    this.#dial = dial;
    this.#limits = limits;
  }

  /** The number of open connections. */
  get size(): { origins: number; kept: number } {
    return { origins: this.#origins.size, kept: this.#kept.size };
  }

  /**
   * A kept connection to the origin of the target, if one is free. `host.` and `host` only share the limit: as in
   * browsers, each has its own Host header.
   */
  takeFree(target: Target): Connection | undefined {
    const origin = this.#origins.get(target.countedOrigin);
    if (origin === undefined) {
      return undefined;
    }
    const free = this.#popFree(origin);
    if (free === undefined || free.origin === target.origin) {
      return free;
    }
    free.destroy();
    return undefined;
  }

  /**
   * A connection to the origin of the target: a kept one, unless a new one is required, or one dialed now. While others
   * are open, it is only dialed if none of them becomes free within a moment.
   */
  async take(target: Target, ending: EarlyEnd, wanted: 'any' | 'fresh'): Promise<Connection> {
    let mayDial = wanted === 'fresh';
    for (;;) {
      const free = this.takeFree(target);
      if (free !== undefined && wanted === 'any') {
        return free;
      }
      free?.destroy();
      const origin = this.#origin(target.countedOrigin);
      if (origin.open < this.#limits.perOrigin && (mayDial || origin.open === 0)) {
        origin.open += 1;
        return await this.#dialNow(target, origin, ending);
      }
      mayDial = (await this.#waitForTurn(origin, ending)) === 'dial' || mayDial;
    }
  }

  /** Returns a connection, which is kept if it can be reused. */
  giveBack(connection: Connection): void {
    const origin = this.#origins.get(connection.countedOrigin);
    if (!connection.isAlive || this.#isClosed || origin === undefined) {
      connection.destroy();
      return;
    }
    origin.free.push(connection);
    this.#kept.add(connection);
    origin.waiting.shift()?.('free');
    const [oldest] = this.#kept;
    if (this.#kept.size > this.#limits.kept && oldest !== undefined) {
      this.#kept.delete(oldest);
      oldest.destroy();
    }
  }

  /** Closes kept connections, and keeps none from now on. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#kept) {
      connection.destroy();
    }
  }

  #origin(name: string): Origin {
    const origin = this.#origins.get(name) ?? { open: 0, free: [], waiting: [] };
    this.#origins.set(name, origin);
    return origin;
  }

  /** The most recently used one, so that the others can expire. */
  #popFree(origin: Origin): Connection | undefined {
    for (;;) {
      const connection = origin.free.pop();
      if (connection !== undefined) {
        this.#kept.delete(connection);
      }
      if (connection === undefined || connection.isAlive) {
        return connection;
      }
    }
  }

  async #dialNow(target: Target, origin: Origin, ending: EarlyEnd): Promise<Connection> {
    const name = target.countedOrigin;
    try {
      // Loaded for the first connection, because the HTTP library takes 20 MB, and a process that sends from a thread
      // does not need it.
      const { Connection } = await import('./connection.ts');
      const connection = new Connection(target, await this.#dial(target.url, ending));
      connection.onceClosed(() => {
        this.#kept.delete(connection);
        const at = origin.free.indexOf(connection);
        if (at !== -1) {
          origin.free.splice(at, 1);
        }
        this.#closeOne(name, origin);
      });
      return connection;
    } catch (error) {
      this.#closeOne(name, origin);
      throw error;
    }
  }

  #closeOne(name: string, origin: Origin): void {
    origin.open -= 1;
    origin.waiting.shift()?.('dial');
    if (origin.open === 0 && origin.waiting.length === 0) {
      this.#origins.delete(name);
    }
  }

  #waitForTurn(origin: Origin, ending: EarlyEnd): Promise<'free' | 'dial'> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#dialing.stop(timed);
        ending.offEnd();
        const at = origin.waiting.indexOf(waiter);
        if (at !== -1) {
          origin.waiting.splice(at, 1);
        }
      };
      const waiter: Waiter = (turn) => {
        leave();
        resolve(turn);
      };
      const timed = this.#dialing.start(() => {
        if (origin.open < this.#limits.perOrigin) {
          waiter('dial');
        }
      });
      origin.waiting.push(waiter);
      ending.onEnd(() => {
        leave();
        reject(ending.reason);
      });
    });
  }
}
