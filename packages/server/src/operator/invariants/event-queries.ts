import type { Invariant } from './invariant.ts';

/** Events past their retention are deleted hourly, in real time, so older changes may no longer have any. */
const RETAINED_SINCE = `(case when retention.days = 0 then '-infinity'
    else clock_timestamp() - retention.days * interval '1 day' + interval '1 hour' end)`;

/**
 * Whether there is an event of this type whose object names `s` as `member`, from the instant `at` on. It is among the
 * first rows of the index of types, because an event is written in the transaction of its change.
 */
const isTold = (type: string, member: string, at: string) => `exists (
    select from events e
    where e.organization_id = s.organization_id and e.type = '${type}' and e.created >= ${at} - interval '1 second'
      and e.object ->> '${member}' = s.id)`;

/** The events of a deleted organization are erased with it. */
const missing = (type: string, member: string, when: string, at: string) =>
  `case when ${when} and o.deleted_at is null and ${at} > ${RETAINED_SINCE} and not ${isTold(type, member, at)} then '${type}' end`;

const faultOf = (...missed: string[]) => {
  const list = `concat_ws(', ', ${missed.join(',\n      ')})`;
  return `case when ${list} <> '' then format('it has no event %s', ${list}) end`;
};

/** Invariants: every change of state was announced, as far back as events are kept. */
export const EVENT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'subscription_events',
    promise: 'the start and the end of each subscription have their events',
    subject: 'subscription',
    fault: faultOf(
      missing('subscription.created', 'subscription_id', 'true', 's.created_at'),
      missing('subscription.canceled', 'subscription_id', 's.canceled_at is not null', 's.canceled_at'),
      missing(
        'subscription.expired',
        'subscription_id',
        `(s.status = 'expired' or (s.status = 'canceled' and s.cancel_at_period_end))`,
        's.ended_at',
      ),
    ),
  },
  {
    name: 'invoice_events',
    promise: 'each invoice and its payment have their events',
    subject: 'invoice',
    fault: faultOf(
      missing('invoice.created', 'invoice_id', 'true', 's.created_at'),
      missing('invoice.paid', 'invoice_id', `s.status = 'paid'`, 's.paid_at'),
    ),
  },
  {
    name: 'payment_method_events',
    promise: 'each payment method that was attached or removed has its events',
    subject: 'paymentMethod',
    fault: faultOf(
      missing('payment_method.attached', 'payment_method_id', 'true', 's.created_at'),
      missing('payment_method.removed', 'payment_method_id', 's.removed_at is not null', 's.removed_at'),
    ),
  },
];
