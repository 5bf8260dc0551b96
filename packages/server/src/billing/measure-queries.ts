import { one, statement } from '../database/index.ts';

/** Counts overdue work of billing, each up to 10,000, along an index. */
export interface BillingBacklog {
  overdue_subscriptions: number;
  unknown_payments: number;
}

/** Counts work that has been due, or without an outcome, since before this time. */
export const countBillingBacklog = statement({
  name: 'count_billing_backlog',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: one<BillingBacklog>(),
  sql: ({ before, limit }) => `select
      (select count(*)::int from (
        select from subscriptions where next_action_at <= ${before} order by next_action_at limit ${limit}) s
      ) as overdue_subscriptions,
      (select (count(*) filter (where p.status in ('pending', 'processing') and p.requested_at <= ${before}))::int from (
        select status, requested_at from payments where settled_at is null order by next_check_at limit ${limit}) p
      ) as unknown_payments`,
});
