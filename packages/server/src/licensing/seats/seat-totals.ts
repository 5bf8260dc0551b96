import { Batcher } from '../../batching/index.ts';
import { DatabaseUnavailable, type Queries } from '../../database/index.ts';
import { countSeatsOfOrganizations } from './queries.ts';

/**
 * How many seats organizations have, for their rate limits. Cached, because it does not affect seats themselves: a
 * change takes effect up to five seconds late. Bounded by two generations; the older one is dropped as a whole.
 */
export class SeatTotals {
  readonly #lookUps: Batcher<string, number>;
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #turnedAtMs = performance.now();

  constructor(database: Queries) {
    this.#lookUps = new Batcher({
      run: (_key, organizationIds) => listTotals(database, organizationIds),
      identityOf: (organizationId) => organizationId,
      maxBatch: 256,
      maxWaiting: 10_000,
      overflow: () => new DatabaseUnavailable('too many requests are waiting for the seats of their organization'),
      isolates: () => false,
    });
  }

  /** The seats of an organization's licenses that can be used now. */
  of(organizationId: string): number | Promise<number> {
    this.#turn();
    return this.#young.get(organizationId) ?? this.#old.get(organizationId) ?? this.#lookUp(organizationId);
  }

  async #lookUp(organizationId: string): Promise<number> {
    const seats = await this.#lookUps.submit('', organizationId);
    this.#young.set(organizationId, seats);
    return seats;
  }

  #turn(): void {
    const nowMs = performance.now();
    if (nowMs - this.#turnedAtMs > GENERATION_MS || this.#young.size >= MAX_YOUNG) {
      this.#old = nowMs - this.#turnedAtMs > 2 * GENERATION_MS ? new Map() : this.#young;
      this.#young = new Map();
      this.#turnedAtMs = nowMs;
    }
  }
}

async function listTotals(database: Queries, organizationIds: readonly string[]): Promise<readonly number[]> {
  const rows = await countSeatsOfOrganizations(database, { organizationIds });
  const totals = new Map(rows.map((row) => [row.organization_id, row.seats]));
  return organizationIds.map((organizationId) => totals.get(organizationId) ?? 0);
}

/** A cached total is dropped after one to two of these. */
const GENERATION_MS = 2_500;
const MAX_YOUNG = 50_000;
