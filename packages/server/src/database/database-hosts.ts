import type pg from 'pg';
import { parsePostgresUrl } from '../config/index.ts';
import { DatabaseUnavailable } from './errors.ts';

/** The hosts of one database: one of them accepts writes, and another one after a failover. */
export class DatabaseHosts {
  readonly #addresses: readonly [string, ...string[]];
  readonly #mustWrite: boolean;
  readonly #accepted = new WeakMap<pg.ClientBase, Place>();
  #at = 0;

  constructor(url: string) {
    const parsed = parsePostgresUrl(url);
    this.#addresses = parsed?.addresses ?? [url];
    this.#mustWrite = parsed?.mustWrite ?? false;
  }

  /** The host of the next connection. */
  get current(): string {
    return this.#addresses[this.#at] ?? this.#addresses[0];
  }

  /** How long one host may take to answer, so that all together take no longer than a single host would. */
  patienceOf(milliseconds: number): number {
    return Math.ceil(milliseconds / this.#addresses.length);
  }

  /**
   * Connects to the current host, or to the next reachable one, which must accept writes if required. Throws the last
   * failure if there is none.
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
        throw new DatabaseUnavailable('the host does not accept writes, or another one has become the primary');
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

  /** Many requests meet the same dead host at the same time; the first of them switches all to the next one. */
  #leave(at: number): void {
    if (this.#at === at) {
      this.#at = (at + 1) % this.#addresses.length;
    }
  }

  /** Whether a newer primary was seen since this connection was accepted. */
  isOutrun(client: pg.ClientBase): boolean {
    const place = this.#accepted.get(client);
    return place !== undefined && isOutrun(place);
  }

  /** A connection is checked once. If its host is demoted later, the next write fails. */
  async #accepts(client: pg.ClientBase): Promise<boolean> {
    if (!this.#mustWrite || this.#accepted.has(client)) {
      return true;
    }
    const place = await findPlace(client);
    if (place === undefined || isOutrun(place)) {
      return false;
    }
    this.#accepted.set(client, place);
    newest.set(place.cluster, place.timeline);
    return true;
  }
}

/**
 * The position of a writable host in the history of its cluster. Each promotion begins a new timeline with the next
 * number, so of two writable hosts, the one with the lower number is a former primary that was not stopped.
 */
interface Place {
  cluster: string;
  timeline: number;
}

/** The newest timeline that any pool of this process has seen, by cluster. */
const newest = new Map<string, number>();

function isOutrun({ cluster, timeline }: Place): boolean {
  return timeline < (newest.get(cluster) ?? 0);
}

/**
 * Undefined if the host does not accept writes. Some managed databases do not reveal their timeline; it is then always
 * 0.
 */
async function findPlace(client: pg.ClientBase): Promise<Place | undefined> {
  const ask = (text: string) => {
    // The driver has this option, but its types do not.
    const query = { text, query_timeout: PATIENCE_MS };
    return client.query<Partial<Place> & { is_writable: boolean }>(query);
  };
  const answer = await ask(PLACE)
    .catch(() => ask(IS_WRITABLE))
    .catch(() => undefined);
  const row = answer?.rows[0];
  return row?.is_writable === true ? { cluster: row.cluster ?? '', timeline: row.timeline ?? 0 } : undefined;
}

/** For a host that accepts a connection and then does not answer. */
const PATIENCE_MS = 1_500;
const IS_WRITABLE = `select current_setting('transaction_read_only') = 'off' as is_writable`;
const PLACE = `${IS_WRITABLE},
  (select system_identifier::text from pg_control_system()) as cluster,
  case when pg_is_in_recovery() then 0
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer end as timeline`;

/** Every connection of the pool was busy for too long, which says nothing about the host. */
function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}
