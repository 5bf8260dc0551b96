import type { Queries } from '../../src/database/index.ts';
import { newId } from '../../src/ids/index.ts';
import { execute } from './index.ts';

/** Writes a subscription for which no money has moved. */
export async function plantSubscription(
  { database }: { database: Queries },
  terms: { planId: string; organizationId?: string; pendingPlanId?: string; hasEnded?: boolean },
): Promise<string> {
  const id = newId('subscription');
  const { planId, organizationId = newId('organization'), pendingPlanId = null, hasEnded = false } = terms;
  await execute(
    database,
    `insert into subscriptions (organization_id, id, status, plan_id, quantity, currency, anchor, period_index,
      current_period_start, current_period_end, period_accrued, period_billed, pending_plan_id, pending_quantity,
      pending_expires_at, ended_at, next_action_at, created_at, updated_at)
    select $1, $2, case when $5 then 'canceled' else 'active' end, $3, 1, 'usd', n.t, 0, n.t, n.t + interval '30 days', 0, 0,
      $4::text, case when $4::text is not null then 2 end, case when $4::text is not null then n.t + interval '1 day' end,
      case when $5 then n.t end, case when not $5 then n.t + interval '30 days' end, n.t, n.t
    from (select clock_timestamp() as t) n`,
    [organizationId, id, planId, pendingPlanId, hasEnded],
  );
  return id;
}

/** Writes a payment in progress. */
export async function plantPayment({ database }: { database: Queries }, intent: object): Promise<void> {
  await execute(
    database,
    `insert into payments (organization_id, id, subscription_id, purpose, intent, amount, currency, is_on_session,
      payment_method_id, method_ref, customer_ref, provider, status, next_check_at, created_at)
    select $1, $2, $3, 'create', $4, 1500, 'usd', true, $5, 'ref', 'ref', 'test', 'pending', n.t, n.t
    from (select clock_timestamp() as t) n`,
    [newId('organization'), newId('payment'), newId('subscription'), JSON.stringify(intent), newId('paymentMethod')],
  );
}

/** For a catalogue: the meters that have usage records. */
export function listUsedMetersOf(...used: string[]) {
  return async (_tx: Queries, names: readonly string[]) => names.filter((name) => used.includes(name));
}
