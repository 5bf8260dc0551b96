import { ACTIVE, ENDED, ENDPOINT, LICENSE, ORG, PAST_DUE } from './plant-commerce.ts';

/** The name of an invariant, the object that its finding names, and the statements that break it. */
type Breakage = readonly [promise: string, id: string, statements: string];

/** Each breaks an invariant of subscriptions, licenses, seats or webhooks. */
export const SUBSCRIPTION_BREAKAGES: readonly Breakage[] = [
  [
    'the period of a subscription is a calendar month from its anchor',
    ACTIVE,
    `update subscriptions set current_period_end = current_period_end + interval '1 day' where id = '${ACTIVE}'`,
  ],
  [
    'a deleted organization has no live subscription',
    ACTIVE,
    `update organizations set deleted_at = clock_timestamp() where id = '${ORG}'`,
  ],
  [
    'the amount billed for a period is its exact cost, rounded, except for amounts that are too small to charge',
    ACTIVE,
    `update subscriptions set period_billed = period_billed + 1 where id = '${ACTIVE}'`,
  ],
  [
    'the current period of a live subscription has its invoice',
    PAST_DUE,
    `update invoices set status = 'void' where id = 'inv_open'`,
  ],
  [
    'a subscription has no more seats than its plan allows',
    ACTIVE,
    `update subscriptions set quantity = 21 where id = '${ACTIVE}'`,
  ],
  [
    'a live subscription has a next action, and an ended one has none',
    ACTIVE,
    `update subscriptions set next_action_at = null where id = '${ACTIVE}'`,
  ],
  [
    'a live subscription has a next action, and an ended one has none',
    ENDED,
    `update subscriptions set next_action_at = clock_timestamp() where id = '${ENDED}'`,
  ],
  [
    'a live subscription has a next action, and an ended one has none',
    ACTIVE,
    `update subscriptions set pending_payment_id = 'pay_active' where id = '${ACTIVE}'`,
  ],
  [
    'a live subscription has a next action, and an ended one has none',
    ACTIVE,
    `update subscriptions set ended_at = clock_timestamp() where id = '${ACTIVE}'`,
  ],
  [
    'no live subscription is overdue by more than an hour',
    ACTIVE,
    `update subscriptions set current_period_end = clock_timestamp() - interval '2 hours' where id = '${ACTIVE}'`,
  ],
  [
    'no live subscription is overdue by more than an hour',
    PAST_DUE,
    `update subscriptions set next_action_at = clock_timestamp() - interval '2 hours' where id = '${PAST_DUE}'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    ACTIVE,
    `update licenses set max_seats = 6 where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    ACTIVE,
    `update licenses set product = 'other' where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    ACTIVE,
    `update licenses set features = '{}' where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    ACTIVE,
    `update licenses set expires_at = expires_at + interval '1 second' where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    ACTIVE,
    `update licenses set renews = false where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    ACTIVE,
    `delete from licenses where id = '${LICENSE}'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    PAST_DUE,
    `update licenses set expires_at = expires_at + interval '1 day' where id = 'lic_past_due'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    ENDED,
    `update licenses set expires_at = expires_at + interval '1 month' where id = 'lic_ended'`,
  ],
  [
    'the license of a subscription matches what is paid for, and ends with it',
    ACTIVE,
    `update subscriptions set cancel_at_period_end = true where id = '${ACTIVE}'`,
  ],
  [
    'a license that names a subscription is the license of that subscription',
    LICENSE,
    `update licenses set subscription_id = '${ENDED}' where id = '${LICENSE}'`,
  ],
  [
    'the count of taken seats matches the seats, and does not exceed the license',
    LICENSE,
    `update license_seat_counts set taken = 3 where license_id = '${LICENSE}'`,
  ],
  [
    'the count of taken seats matches the seats, and does not exceed the license',
    LICENSE,
    `update licenses set max_seats = 0 where id = '${LICENSE}'; update seat_slots set started_at = clock_timestamp() where slot = 1`,
  ],
  [
    'seats are reserved for the first machines in line, and the count of waiting machines matches the line',
    LICENSE,
    `update license_seat_counts set waiting = 1 where license_id = '${LICENSE}'`,
  ],
  [
    'seats are reserved for the first machines in line, and the count of waiting machines matches the line',
    LICENSE,
    `update seat_waits set is_reserved = true where id = 'wait_2'`,
  ],
  [
    'seats are reserved for the first machines in line, and the count of waiting machines matches the line',
    LICENSE,
    `update seat_waits set is_reserved = true where license_id = '${LICENSE}'; update licenses set max_seats = 1 where id = '${LICENSE}'`,
  ],
  [
    'an offline seat needs no heartbeat before its promised end, and is free at that instant',
    LICENSE,
    `update seat_slots set deadline = deadline + interval '1 second' where slot = 2 and license_id = '${LICENSE}'`,
  ],
  [
    'an offline seat needs no heartbeat before its promised end, and is free at that instant',
    LICENSE,
    `update service_clock set away_ms = away_ms + 1000`,
  ],
  [
    'a machine that holds a seat or a place in line by its activation is still activated',
    LICENSE,
    `delete from license_activations where id = 'act_1'`,
  ],
  [
    'a machine that holds a seat or a place in line by its activation is still activated',
    LICENSE,
    `update seat_waits set user_id = 'act_2' where id = 'wait_2'`,
  ],
  [
    'the deliveries of an endpoint are numbered from 1 without a gap',
    ENDPOINT,
    `delete from webhook_deliveries where id = 'dlv_4'`,
  ],
  [
    'the deliveries of an endpoint are numbered from 1 without a gap',
    ENDPOINT,
    `delete from webhook_queue where delivery_id = 'dlv_5'`,
  ],
  [
    'the deliveries of an endpoint are numbered from 1 without a gap',
    ENDPOINT,
    `update webhook_deliveries set sequence = 4 where id = 'dlv_2'`,
  ],
  [
    'the deliveries of an endpoint are numbered from 1 without a gap',
    ENDPOINT,
    `update webhook_deliveries set sequence = 6 where id = 'dlv_4'`,
  ],
  [
    'the deliveries of an endpoint are numbered from 1 without a gap',
    ENDPOINT,
    `update webhook_deliveries set sequence = 5 where id = 'dlv_4'`,
  ],
  [
    'the deliveries of an endpoint are numbered from 1 without a gap',
    ENDPOINT,
    `update webhook_sequences set last = 6`,
  ],
  [
    'the deliveries of an endpoint are numbered from 1 without a gap',
    ENDPOINT,
    `update webhook_sequences set deleted = 1`,
  ],
  ['the deliveries of an endpoint are numbered from 1 without a gap', ENDPOINT, `delete from webhook_sequences`],
];
