import { CHARGE_UNITS, SMALLEST_CHARGE, SMALLEST_CHARGES } from '../../billing/index.ts';
import { wallTime } from '../../database/index.ts';
import type { Invariant } from './invariant.ts';

const NOW = wallTime('o.clock_offset_ms');
const IS_LIVE = `s.status in ('incomplete', 'active', 'past_due')`;
const IN_FLIGHT = `exists (
    select from payments p
    where p.organization_id = s.organization_id and p.subscription_id = s.id and p.settled_at is null)`;
/** Period `n` by the database's calendar: independent of the code that wrote it. */
const monthsAfter = (count: string) =>
  `((s.anchor at time zone 'UTC' + make_interval(months => ${count})) at time zone 'UTC')`;
const LENGTH = 'nullif(extract(epoch from s.current_period_end - s.current_period_start), 0)';

/** The minimum charge in a subscription's currency. */
const SMALLEST_CHARGE_OF = `case s.currency ${Object.entries(SMALLEST_CHARGES)
  .map(([currency, amount]) => `when '${currency}' then ${amount}`)
  .join(' ')} else ${SMALLEST_CHARGE} end`;

/** The step in which a subscription's currency can be charged. */
const UNIT_OF = `case s.currency ${Object.entries(CHARGE_UNITS)
  .map(([currency, unit]) => `when '${currency}' then ${unit}`)
  .join(' ')} else 1 end`;

/** Invariants of each subscription. */
export const SUBSCRIPTION_INVARIANTS: readonly Invariant[] = [
  {
    name: 'subscription_period',
    promise: 'the period of a subscription is a calendar month from its anchor',
    subject: 'subscription',
    fault: `case when (s.current_period_start, s.current_period_end)
          <> (${monthsAfter('s.period_index')}, ${monthsAfter('s.period_index + 1')})
        then format('period %s from %s is not %s to %s', s.period_index, s.anchor, s.current_period_start,
          s.current_period_end) end`,
  },
  {
    name: 'subscription_organization',
    promise: 'a deleted organization has no live subscription',
    subject: 'subscription',
    fault: `case when ${IS_LIVE} and (o.id is null or o.deleted_at is not null)
        then format('it is %s, but its organization was deleted', s.status) end`,
  },
  {
    name: 'subscription_ledger',
    promise:
      'the amount billed for a period is its exact cost, rounded, except for amounts that are too small to charge',
    subject: 'subscription',
    // Tolerates half a unit more: amounts billed before the currency had a unit may not be multiples of it.
    fault: `case when s.period_accrued < 0
          or round(s.period_accrued / ${LENGTH} / ${UNIT_OF}) * ${UNIT_OF} - s.period_billed
          not between -(${UNIT_OF} / 2) and ${SMALLEST_CHARGE_OF} - 1 + ${UNIT_OF} / 2
        then format('%s was billed, but the exact cost is %s', s.period_billed, round(s.period_accrued / ${LENGTH}, 4)) end`,
  },
  {
    name: 'subscription_billed',
    promise: 'the current period of a live subscription has its invoice',
    subject: 'subscription',
    fault: `case when ${IS_LIVE} and not exists (
          select from invoices i
          where i.organization_id = s.organization_id and i.subscription_id = s.id
            and i.period_index = s.period_index and i.reason <> 'change' and i.status <> 'void')
        then format('it is %s, but period %s has no invoice', s.status, s.period_index) end`,
  },
  {
    name: 'subscription_quantity',
    promise: 'a subscription has no more seats than its plan allows',
    subject: 'subscription',
    // A later change of a plan does not affect its subscriptions.
    fault: `select case when s.quantity > case when jsonb_typeof(p.features -> 'seats') = 'number'
            then (p.features ->> 'seats')::numeric end
          and (p.updated_at <= p.created_at + interval '1 second' or p.updated_at
            + o.clock_offset_ms * interval '1 millisecond' + interval '1 minute' < s.created_at)
        then format('it has %s seats, but %s allows %s', s.quantity, p.id, p.features ->> 'seats') end
      from plans p where p.id = s.plan_id`,
  },
  {
    name: 'subscription_next_action',
    promise: 'a live subscription has a next action, and an ended one has none',
    subject: 'subscription',
    fault: `case
        when ${IS_LIVE} <> (s.ended_at is null) then format('it is %s, with ended_at %s', s.status,
          coalesce(s.ended_at::text, 'null'))
        when ${IS_LIVE} and s.next_action_at is null then format('it is %s, but has no next action', s.status)
        when not ${IS_LIVE} and (s.next_action_at is not null or s.next_attempt_at is not null
            or s.dunning_ends_at is not null or s.pending_quantity is not null)
          then format('it is %s, but still has a next action', s.status)
        when s.pending_payment_id is not null and not exists (
            select from payments p where p.organization_id = s.organization_id and p.id = s.pending_payment_id
              and p.subscription_id = s.id and p.settled_at is null)
          then format('it waits for %s, which is not in progress', s.pending_payment_id)
      end`,
  },
  {
    name: 'subscription_up_to_date',
    promise: 'no live subscription is overdue by more than an hour',
    subject: 'subscription',
    fault: `case
        when not ${IS_LIVE} or o.deleted_at is not null or ${IN_FLIGHT} then null
        when s.status = 'active' and s.current_period_end < ${NOW} - interval '1 hour'
          then format('its period ended at %s', s.current_period_end)
        when s.next_action_at < ${NOW} - interval '1 hour'
          then format('it is %s, and its next action has been due since %s', s.status, s.next_action_at)
      end`,
  },
];
