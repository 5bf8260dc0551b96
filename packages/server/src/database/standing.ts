import type pg from 'pg';
import { DatabaseUnavailable } from './errors.ts';
import { GENERATION, OUTDATED, STANDING_LASTS_MS } from './generation.ts';

/** The callbacks of a standing. */
export interface StandingEvents {
  /** Called when the process is too old for its database, and refuses to use it from now on. */
  onOutdated?(reason: string): void;
  /** A monotonic clock, in milliseconds. */
  now?(): number;
}

/**
 * What a process knows about its access to one database: whether its version may still use it, and whether writes
 * finish. All its connections to the database share it.
 */
export class Standing {
  readonly #onOutdated: (reason: string) => void;
  readonly #now: () => number;
  /** Connections that were checked at least once. */
  readonly #known = new WeakSet<pg.ClientBase>();
  #oldestGeneration = 0;
  /**
   * When generations were last queried. The time of the query, because a slow answer would otherwise seem fresher than
   * it is.
   */
  #askedAt = Number.NEGATIVE_INFINITY;
  /** When the first heartbeat was sent since which none has succeeded. */
  #unansweredSince: number | undefined;

  constructor({ onOutdated = () => undefined, now = () => performance.now() }: StandingEvents = {}) {
    this.#onOutdated = onOutdated;
    this.#now = now;
  }

  /** Sends a heartbeat, which shows whether writes finish and returns the admitted generations. */
  async beat(send: () => Promise<{ oldestGeneration: number }>): Promise<void> {
    const sentAt = this.#now();
    this.#unansweredSince ??= sentAt;
    const { oldestGeneration } = await send();
    this.#unansweredSince = undefined;
    this.#note(oldestGeneration, sentAt);
  }

  /**
   * Throws unless this version may use the database. Queries the connection itself if it is new or the last answer is
   * old, so that a process that was frozen, or whose heartbeats fail, cannot rely on outdated knowledge.
   */
  async require(client: pg.ClientBase): Promise<void> {
    const now = this.#now();
    if (!this.#known.has(client) || now - this.#askedAt > STANDING_LASTS_MS) {
      this.#note(await readOldestGeneration(client), now);
      this.#known.add(client);
    }
    if (this.isOutdated) {
      throw new DatabaseUnavailable(this.#outdated());
    }
  }

  /** Throws if heartbeats have failed for a while: a write would also only run into its timeout. */
  requireWrites(): void {
    if (this.#areWritesStalled()) {
      throw new DatabaseUnavailable(STALLED);
    }
  }

  get isOutdated(): boolean {
    return this.#oldestGeneration > GENERATION;
  }

  /** Why requests would fail, or undefined if no reason is known. */
  whyNotReady(): string | undefined {
    return this.isOutdated ? this.#outdated() : this.#areWritesStalled() ? STALLED : undefined;
  }

  #areWritesStalled(): boolean {
    return this.#unansweredSince !== undefined && this.#now() - this.#unansweredSince > STALLED_AFTER_MS;
  }

  #note(oldestGeneration: number, askedAt: number): void {
    const wasOutdated = this.isOutdated;
    this.#oldestGeneration = oldestGeneration;
    this.#askedAt = askedAt;
    if (this.isOutdated && !wasOutdated) {
      this.#onOutdated(this.#outdated());
    }
  }

  #outdated(): string {
    return OUTDATED(this.#oldestGeneration);
  }
}

/** Longer than a full pool delays a heartbeat, shorter than a statement may take. */
const STALLED_AFTER_MS = 4_000;
const STALLED = 'writes do not finish';

/** A database that is not migrated yet has no generations and admits all. */
export async function readOldestGeneration(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ oldest: string | null }>(
    `select to_jsonb(c) ->> 'oldest_generation' as oldest from service_clock c`,
  );
  return Number(rows[0]?.oldest ?? 0);
}
