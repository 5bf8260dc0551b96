import type { Queries, Statement } from '../database/index.ts';

/** Counts overdue work of billing, each up to 10,000, along an index. */
export interface BillingBacklog {
  overdue_subscriptions: number;
  unknown_payments: number;
}

/** Work that has been due, or without an outcome, since before this time. */
export async function countBillingBacklog(database: Queries, sinceBefore: Date): Promise<BillingBacklog> {
  const [row] = await database.query(COUNT_BILLING_BACKLOG, [sinceBefore, 10_000]);
  return row ?? { overdue_subscriptions: 0, unknown_payments: 0 };
}

const COUNT_BILLING_BACKLOG: Statement<BillingBacklog> = {
  name: 'count_billing_backlog',
  text: `select
      (select count(*)::int from (
        select from subscriptions where next_action_at <= $1 order by next_action_at limit $2) s) as overdue_subscriptions,
      (select (count(*) filter (where p.status in ('pending', 'processing') and p.requested_at <= $1))::int from (
        select status, requested_at from payments where settled_at is null order by next_check_at limit $2) p
      ) as unknown_payments`,
};
