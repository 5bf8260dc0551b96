import type pg from 'pg';
import { parsePostgresUrl } from '../config/index.ts';
import { DatabaseUnavailable } from './errors.ts';

/** The hosts of one database: one of them takes writes, and after a failover it is another. */
export class DatabaseHosts {
  readonly #addresses: readonly [string, ...string[]];
  readonly #mustWrite: boolean;
  readonly #accepted = new WeakSet<pg.ClientBase>();
  #at = 0;

  constructor(url: string) {
    const parsed = parsePostgresUrl(url);
    this.#addresses = parsed?.addresses ?? [url];
    this.#mustWrite = parsed?.mustWrite ?? false;
  }

  /** Where the next connection goes. */
  get current(): string {
    return this.#addresses[this.#at] ?? this.#addresses[0];
  }

  /** How long one host may take to answer, so that all of them together take no longer than one does. */
  patienceOf(milliseconds: number): number {
    return Math.ceil(milliseconds / this.#addresses.length);
  }

  /**
   * Connects to the current host, or to the next one that can be reached and takes writes if that is asked for.
   * Throws the last failure if there is none.
   */
  async connect<Client extends pg.ClientBase>(
    open: () => Promise<Client>,
    discard: (client: Client) => void,
  ): Promise<Client> {
    for (let tried = 1; ; tried += 1) {
      const at = this.#at;
      try {
        const client = await open();
        if (await this.#accepts(client)) {
          return client;
        }
        discard(client);
        throw new DatabaseUnavailable('the host takes no writes');
      } catch (error) {
        if (isPoolExhausted(error)) {
          throw error;
        }
        this.#leave(at);
        if (tried >= this.#addresses.length) {
          throw error;
        }
      }
    }
  }

  /** Many requests meet the same dead host at once, and the first of them moves all on. */
  #leave(at: number): void {
    if (this.#at === at) {
      this.#at = (at + 1) % this.#addresses.length;
    }
  }

  /** A connection is asked once. If its host is demoted later, the next write says so. */
  async #accepts(client: pg.ClientBase): Promise<boolean> {
    if (!this.#mustWrite || this.#accepted.has(client)) {
      return true;
    }
    const answer = await client
      .query<{ transaction_read_only: string }>('show transaction_read_only')
      .catch(() => null);
    const isWritable = answer?.rows[0]?.transaction_read_only === 'off';
    if (isWritable) {
      this.#accepted.add(client);
    }
    return isWritable;
  }
}

/** Every connection of the pool was busy for too long, so nothing is known about the host. */
function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}
