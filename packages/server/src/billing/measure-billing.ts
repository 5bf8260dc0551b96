import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { Metrics } from '../http/index.ts';
import { countBillingBacklog } from './measure-queries.ts';
import { countOrphans } from './reconciliation/orphan-queries.ts';

/** Billing metrics: overdue work across all processes. */
export function measureBilling(database: Queries, metrics: Metrics, clock: Clock): void {
  metrics.gauges(
    {
      overdue_subscriptions: {
        name: 'seathold_subscriptions_overdue',
        help: 'Subscriptions whose renewal, retry or end has been due for five minutes, up to 10,000.',
      },
      unknown_payments: {
        name: 'seathold_payments_of_unknown_outcome',
        help: 'Payments whose outcome has been unknown for five minutes, up to 10,000. Payments that wait for the customer do not count.',
      },
    },
    clock,
    () => countBillingBacklog(database, { before: new Date(clock.nowMs() - LATE_MS), limit: MOST_OVERDUE }),
  );
  metrics.gauges(
    {
      orphaned: {
        name: 'seathold_orphaned_payments',
        help: 'Payments that the provider collected and that match no record, up to 1,000.',
      },
    },
    clock,
    async () => ({ orphaned: await countOrphans(database, { limit: MOST_ORPHANS }) }),
  );
}

const LATE_MS = 300_000;
const MOST_OVERDUE = 10_000;
const MOST_ORPHANS = 1_000;
