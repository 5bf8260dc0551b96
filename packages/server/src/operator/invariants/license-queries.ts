import { ID_PREFIXES } from '../../ids/index.ts';
import type { Invariant } from './invariant.ts';

/** When the license of subscription `s` to plan `p` ends. */
const ENDS_AT = `case
    when s.ended_at is not null then s.ended_at
    when s.status = 'past_due' then s.dunning_ends_at
    when s.cancel_at_period_end then s.current_period_end
    else s.current_period_end + p.grace_seconds * interval '1 second'
  end`;
const RENEWS = `(s.status = 'active' and not s.cancel_at_period_end)`;
/** A later change of a plan reaches a license when its subscription is next written. */
const IS_PLAN_KNOWN = `(p.updated_at <= p.created_at + interval '1 second' or p.updated_at
    + o.clock_offset_ms * interval '1 millisecond' + interval '1 minute' < s.updated_at)`;

/** Invariants of subscriptions, licenses and seats. */
export const LICENSE_INVARIANTS: readonly Invariant[] = [
  {
    name: 'subscription_license',
    promise: 'the license of a subscription matches what is paid for, and ends with it',
    subject: 'subscription',
    fault: `select string_agg(nullif(concat_ws('; ',
        case
          when l.id is null and s.status in ('active', 'past_due') then format('it is %s without a license', s.status)
          when l.id is null and s.license_id is not null then format('its license %s is missing', s.license_id)
          when l.id is not null and s.status = 'incomplete' then format('it is not paid, but has %s', l.id)
          when l.id <> s.license_id or (l.id is not null and s.license_id is null)
            then format('its license is %s, not %s', l.id, coalesce(s.license_id, 'null'))
        end,
        case when l.max_seats <> s.quantity then format('%s has %s seats, not %s', l.id, l.max_seats, s.quantity) end,
        case when ${IS_PLAN_KNOWN} and l.product <> p.product
          then format('%s is for %s, not %s', l.id, l.product, p.product) end,
        case when ${IS_PLAN_KNOWN} and l.features <> p.license_features
          then format('%s has different features from its plan', l.id) end,
        case when l.expires_at <> ${ENDS_AT}
            and (${IS_PLAN_KNOWN} or not ${RENEWS} or l.expires_at < s.current_period_end)
          then format('%s expires at %s, not %s', l.id, l.expires_at, ${ENDS_AT}) end,
        case when l.renews <> ${RENEWS} then format('%s %s', l.id,
          case when l.renews then 'renews' else 'does not renew' end) end), ''), '; ')
      from plans p left join licenses l on l.organization_id = s.organization_id and l.subscription_id = s.id
      where p.id = s.plan_id`,
  },
  {
    name: 'license_subscription',
    promise: 'a license that names a subscription is the license of that subscription',
    subject: 'license',
    fault: `case when s.subscription_id is not null and not exists (
          select from subscriptions b
          where b.organization_id = s.organization_id and b.id = s.subscription_id and b.license_id = s.id)
        then format('%s has a different license, or is missing', s.subscription_id) end`,
  },
  {
    name: 'seat_counts',
    promise: 'the count of taken seats matches the seats, and does not exceed the license',
    subject: 'seatCount',
    // Reducing seats below the number of sessions ends none of them, but a session that began later would exceed the
    // cap.
    fault: `select case
        when s.taken <> h.held then format('%s seats are counted as taken, %s hold a session', s.taken, h.held)
        when h.held > l.max_seats and h.last_started_at > l.updated_at
          then format('%s sessions hold its %s seats, the last since %s', h.held, l.max_seats, h.last_started_at)
      end
      from licenses l, (
        select count(*) as held, max(started_at) as last_started_at from seat_slots
        where organization_id = s.organization_id and license_id = s.license_id and session_id is not null
      ) h
      where l.organization_id = s.organization_id and l.id = s.license_id`,
  },
  {
    name: 'seat_lines',
    promise: 'seats are reserved for the first machines in line, and the count of waiting machines matches the line',
    subject: 'seatCount',
    fault: `(select case
        when s.waiting <> w.waiting then format('%s machines are counted as waiting, %s wait', s.waiting, w.waiting)
        when w.last_reserved > w.first_without then 'a seat is reserved for a machine behind one that has none'
        when w.reserved > l.max_seats then format('%s seats are reserved, it has %s', w.reserved, l.max_seats)
      end
      from licenses l, (
        select count(*) as waiting, count(*) filter (where is_reserved) as reserved,
          max(place) filter (where is_reserved) as last_reserved, min(place) filter (where not is_reserved) as first_without
        from seat_waits where organization_id = s.organization_id and license_id = s.license_id and ended_at is null
      ) w
      where l.organization_id = s.organization_id and l.id = s.license_id)`,
  },
  {
    name: 'offline_seats',
    promise: 'an offline seat needs no heartbeat before its promised end, and is free at that instant',
    subject: 'seatCount',
    // An outage moves the deadlines of all seats. A job resets those of offline seats.
    fault: `(select format('offline until %s, but its seat %s ends at %s', h.offline_until, h.slot, h.ends_at)
      from (
        select slot, offline_until, deadline + (select away_ms from service_clock) * interval '1 millisecond' as ends_at
        from seat_slots
        where organization_id = s.organization_id and license_id = s.license_id and offline_until is not null
          and session_id is not null
      ) h
      where h.ends_at - h.offline_until not between interval '-1 millisecond' and interval '1 millisecond'
      order by h.slot limit 1)`,
  },
  {
    name: 'activated_machines',
    promise: 'a machine that holds a seat or a place in line by its activation is still activated',
    subject: 'seatCount',
    fault: `(select format('%s has no activation on %s', h.user_id, h.hardware_id)
      from (
        select user_id, hardware_id from seat_slots
        where organization_id = s.organization_id and license_id = s.license_id and session_id is not null
        union all
        select user_id, hardware_id from seat_waits
        where organization_id = s.organization_id and license_id = s.license_id and ended_at is null
      ) h
      where h.user_id like '${ID_PREFIXES.activation}\\_%' and not exists (
        select from license_activations a
        where a.organization_id = s.organization_id and a.license_id = s.license_id and a.id = h.user_id
          and a.hardware_id = h.hardware_id)
      order by h.user_id limit 1)`,
  },
];
