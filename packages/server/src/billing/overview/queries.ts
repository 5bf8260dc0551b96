import { many, one, statement } from '../../database/index.ts';

/** The subscriptions of one status and currency. */
export interface SubscriptionsInForce {
  status: 'trialing' | 'active' | 'past_due';
  currency: string;
  subscriptions: number;
  /** Their monthly price, before discounts and tax, in minor units. */
  monthly_amount: number;
}

/** All subscriptions that have not ended, by status and currency. */
export const listSubscriptionsInForce = statement({
  name: 'list_subscriptions_in_force',
  returns: many<SubscriptionsInForce>(),
  sql: () => `select s.status, p.currency, sum(s.subscriptions)::float8 as subscriptions,
      sum(s.seats * coalesce(p.price, 0))::float8 as monthly_amount
    from (
      select status, plan_id, count(*) as subscriptions, sum(quantity) as seats from subscriptions
      where ended_at is null and status in ('trialing', 'active', 'past_due') group by status, plan_id
    ) s join plans p on p.id = s.plan_id
    group by s.status, p.currency order by p.currency, s.status`,
});

/** How many subscriptions that were ever paid began in a window, and how many ended in it. */
export const countSubscriptionChanges = statement({
  name: 'count_subscription_changes',
  parameters: { from: 'instant', until: 'instant' },
  returns: one<{ begun: number; ended: number }>(),
  sql: ({ from, until }) => `select (
      select count(*)::int from subscriptions
      where created_at >= ${from} and created_at < ${until} and license_id is not null
    ) as begun, (
      select count(*)::int from subscriptions
      where ended_at >= ${from} and ended_at < ${until} and ended_at is not null and license_id is not null
    ) as ended`,
});
