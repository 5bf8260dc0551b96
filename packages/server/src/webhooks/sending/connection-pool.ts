import { Connection } from './connection.ts';
import type { Dial } from './handshake.ts';
import { untilAborted } from './until-aborted.ts';
import { countedOrigin } from './url-rules.ts';

/** Connections of one origin: open in all, free at the moment, and who waits for one. */
interface Origin {
  open: number;
  readonly free: Connection[];
  readonly waiting: Array<() => void>;
}

export interface PoolLimits {
  /** Connections that are open to one origin at the same time. */
  perOrigin: number;
  /** Connections that are kept open without a request, to all origins together. */
  kept: number;
}

/**
 * The connections that are open, by origin. An origin is forgotten with its last connection, and of the kept ones the
 * oldest gives way, so ten thousand receivers that are written to once leave nothing behind.
 *
 * The library's own Agent drops its origins as well; it is not used because it does not tell which connection carried
 * a request, and so neither to which address nor whether the connection had been kept.
 */
export class ConnectionPool {
  readonly #dial: Dial;
  readonly #limits: PoolLimits;
  readonly #origins = new Map<string, Origin>();
  readonly #kept = new Set<Connection>();
  #isClosed = false;

  constructor(dial: Dial, limits: PoolLimits) {
    this.#dial = dial;
    this.#limits = limits;
  }

  /** What is open at the moment. */
  get size(): { origins: number; kept: number } {
    return { origins: this.#origins.size, kept: this.#kept.size };
  }

  /**
   * A connection to the origin of the URL: a kept one, unless a fresh one is wanted, or one that is dialled now. `host.`
   * and `host` share what may be open, and nothing else: each has its own Host header, as it has in browsers.
   */
  async take(url: URL, signal: AbortSignal, wanted: 'any' | 'fresh'): Promise<Connection> {
    const name = countedOrigin(url.origin);
    for (;;) {
      const origin = this.#origin(name);
      const free = this.#takeFree(origin);
      if (free !== undefined && free.origin === url.origin && wanted === 'any') {
        return free;
      }
      free?.destroy();
      if (origin.open < this.#limits.perOrigin) {
        origin.open += 1;
        return await this.#open(url, origin, signal);
      }
      await waitForTurn(origin, signal);
    }
  }

  /** Gives a connection back, to be kept if it may be used again. */
  giveBack(connection: Connection): void {
    const origin = this.#origins.get(countedOrigin(connection.origin));
    if (!connection.isAlive || this.#isClosed || origin === undefined) {
      connection.destroy();
      return;
    }
    origin.free.push(connection);
    this.#kept.add(connection);
    origin.waiting.shift()?.();
    const [oldest] = this.#kept;
    if (this.#kept.size > this.#limits.kept && oldest !== undefined) {
      this.#kept.delete(oldest);
      oldest.destroy();
    }
  }

  /** Ends what is kept, and keeps nothing from now on. */
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

  /** The one that was used last: the others may grow old and go. */
  #takeFree(origin: Origin): Connection | undefined {
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

  async #open(url: URL, origin: Origin, signal: AbortSignal): Promise<Connection> {
    const name = countedOrigin(url.origin);
    try {
      const connection = new Connection(url.origin, await this.#dial(url, signal));
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
    origin.waiting.shift()?.();
    if (origin.open === 0 && origin.waiting.length === 0) {
      this.#origins.delete(name);
    }
  }
}

async function waitForTurn(origin: Origin, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  origin.waiting.push(resolve);
  try {
    await untilAborted(signal, promise);
  } catch (error) {
    const at = origin.waiting.indexOf(resolve);
    if (at === -1) {
      // The turn came in the moment of giving up: it belongs to the next one.
      origin.waiting.shift()?.();
    } else {
      origin.waiting.splice(at, 1);
    }
    throw error;
  }
}
