import { listSubscriptionsInForce, type SubscriptionsInForce } from '../../billing/index.ts';
import type { Queries } from '../../database/index.ts';
import { countSoldSeats } from '../../licensing/index.ts';

interface Sold {
  seats: number;
  subscriptions: readonly SubscriptionsInForce[];
}

/**
 * Counts current sales, which reads each license and subscription in force. If there are many, the counts are cached
 * for a while, so that an open screen does not read them repeatedly.
 */
export class SoldNow {
  #kept: { sold: Sold; atMs: number } | undefined;

  async count(database: Queries, nowMs: number): Promise<Sold> {
    const kept = this.#kept;
    if (kept !== undefined && Math.abs(nowMs - kept.atMs) < KEPT_MS) {
      return kept.sold;
    }
    const { seats, licenses } = await countSoldSeats(database, { now: nowMs });
    const subscriptions = await listSubscriptionsInForce(database);
    const sold = { seats, subscriptions };
    const rows = subscriptions.reduce((sum, each) => sum + each.subscriptions, licenses);
    this.#kept = rows < MANY ? undefined : { sold, atMs: nowMs };
    return sold;
  }
}

/** Reading this many takes about ten milliseconds. */
export const MANY = 50_000;
export const KEPT_MS = 30_000;
