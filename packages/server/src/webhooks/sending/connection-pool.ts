import { Connection } from './connection.ts';
import type { Dial } from './handshake.ts';
import { untilAborted } from './until-aborted.ts';
import { countedOrigin } from './url-rules.ts';

/** Connections of one origin: open in all, free at the moment, and who waits for one. */
interface Lane {
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
  readonly #lanes = new Map<string, Lane>();
  readonly #kept = new Set<Connection>();
  #isClosed = false;

  constructor(dial: Dial, limits: PoolLimits) {
    this.#dial = dial;
    this.#limits = limits;
  }

  /** What is open at the moment. */
  get size(): { origins: number; kept: number } {
    return { origins: this.#lanes.size, kept: this.#kept.size };
  }

  /**
   * A connection to the origin of the URL: a kept one, unless a fresh one is wanted, or one that is dialled now. `host.`
   * and `host` share what may be open, and nothing else: each has its own Host header, as it has in browsers.
   */
  async take(url: URL, signal: AbortSignal, wanted: 'any' | 'fresh'): Promise<Connection> {
    const origin = countedOrigin(url.origin);
    for (;;) {
      const lane = this.#lane(origin);
      const free = this.#takeFree(lane);
      if (free !== undefined && free.origin === url.origin && wanted === 'any') {
        return free;
      }
      free?.destroy();
      if (lane.open < this.#limits.perOrigin) {
        lane.open += 1;
        return await this.#open(url, lane, signal);
      }
      await waitForTurn(lane, signal);
    }
  }

  /** Gives a connection back, to be kept if it may be used again. */
  giveBack(connection: Connection): void {
    const lane = this.#lanes.get(countedOrigin(connection.origin));
    if (!connection.isAlive || this.#isClosed || lane === undefined) {
      connection.destroy();
      return;
    }
    lane.free.push(connection);
    this.#kept.add(connection);
    lane.waiting.shift()?.();
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

  #lane(origin: string): Lane {
    const lane = this.#lanes.get(origin) ?? { open: 0, free: [], waiting: [] };
    this.#lanes.set(origin, lane);
    return lane;
  }

  /** The one that was used last: the others may grow old and go. */
  #takeFree(lane: Lane): Connection | undefined {
    for (;;) {
      const connection = lane.free.pop();
      if (connection !== undefined) {
        this.#kept.delete(connection);
      }
      if (connection === undefined || connection.isAlive) {
        return connection;
      }
    }
  }

  async #open(url: URL, lane: Lane, signal: AbortSignal): Promise<Connection> {
    const origin = countedOrigin(url.origin);
    try {
      const connection = new Connection(url.origin, await this.#dial(url, signal));
      connection.onceClosed(() => {
        this.#kept.delete(connection);
        const at = lane.free.indexOf(connection);
        if (at !== -1) {
          lane.free.splice(at, 1);
        }
        this.#closeOne(origin, lane);
      });
      return connection;
    } catch (error) {
      this.#closeOne(origin, lane);
      throw error;
    }
  }

  #closeOne(origin: string, lane: Lane): void {
    lane.open -= 1;
    lane.waiting.shift()?.();
    if (lane.open === 0 && lane.waiting.length === 0) {
      this.#lanes.delete(origin);
    }
  }
}

async function waitForTurn(lane: Lane, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  lane.waiting.push(resolve);
  try {
    await untilAborted(signal, promise);
  } catch (error) {
    const at = lane.waiting.indexOf(resolve);
    if (at === -1) {
      // The turn came in the moment of giving up: it belongs to the next one.
      lane.waiting.shift()?.();
    } else {
      lane.waiting.splice(at, 1);
    }
    throw error;
  }
}
