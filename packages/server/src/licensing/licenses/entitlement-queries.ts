import { arrays, count, many, recordset, statement, wallTime } from '../../database/index.ts';

/**
 * The statements for licenses paid for by subscriptions. Each takes any number of licenses, so that five hundred
 * renewals cost as many round trips as one.
 */

/** Locks the existing ones of these licenses, like `lockLicense`, always in the same order. */
export const lockLicenses = statement({
  name: 'lock_licenses',
  parameters: { organizationId: 'text', ids: 'text[]' },
  returns: many<{ license_id: string }>(),
  sql: ({ organizationId, ids }) => `select license_id from license_seat_counts
    where organization_id = ${organizationId} and license_id = any(${ids}) order by license_id for update`,
});

/** The terms of a license, as the subscription sets them. */
const TERMS = {
  license_id: 'text',
  subscription_id: 'text',
  product: 'text',
  max_seats: 'integer',
  features: 'jsonb',
  expires_at: 'timestamptz',
  renews: 'boolean',
  heartbeat_interval_seconds: 'integer | null',
  session_timeout_seconds: 'integer | null',
  ended: 'boolean',
  policy: 'jsonb',
} as const;

/** The complete policy of the plan. */
const PLAN_POLICY = `g.policy || jsonb_strip_nulls(jsonb_build_object('heartbeat_interval', g.heartbeat_interval_seconds,
      'session_timeout', g.session_timeout_seconds))`;

/** Counts the inserted licenses. */
export const insertSubscribedLicenses = statement({
  name: 'insert_subscribed_licenses',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', entitled: recordset({ ...TERMS, key: 'text' }) },
  returns: count(),
  sql: ({ organizationId, clockOffsetMs, entitled }) => `
    with given as materialized (select * from ${entitled}), counted as (
      insert into license_seat_counts (organization_id, license_id) select ${organizationId}, license_id from given
    ), slots as (
      insert into seat_slots (organization_id, license_id, slot)
      select ${organizationId}, license_id, generate_series(1, max_seats) from given where not ended
    )
    insert into licenses (organization_id, id, key, subscription_id, product, max_seats, features, state, expires_at,
      renews, heartbeat_interval_seconds, session_timeout_seconds, plan_policy, created_at, updated_at)
    select ${organizationId}, g.license_id, g.key, g.subscription_id, g.product, g.max_seats, g.features, 'active',
      g.expires_at, g.renews, g.heartbeat_interval_seconds, g.session_timeout_seconds,
      ${PLAN_POLICY}, n.t, n.t
    from given g, (select ${wallTime(clockOffsetMs)} as t) n`,
});

/** An expiry that only moves by minutes, as when a last retry begins, needs no second warning. */
const WARNED_FOR = `case
        when l.expiring_announced_for = l.expires_at and not g.renews
          and g.expires_at between l.expires_at and l.expires_at + interval '1 hour' then g.expires_at
        else l.expiring_announced_for end`;

/**
 * Gives licenses their terms, under their locks, and counts them. Settings of the operator stay. Seats are added and
 * removed as in `updateLicenseSeats`, and only if their number changes, because most renewals change none. A license
 * that has ended permanently keeps its number but has no seats: the free ones are removed, and those in use get a slot
 * beyond the license, so that they are removed with their session like all such seats.
 */
export const updateSubscribedLicenses = statement({
  name: 'update_subscribed_licenses',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', entitled: arrays(TERMS) },
  returns: count(),
  sql: ({ organizationId, clockOffsetMs, entitled }) => `
    with given as materialized (select * from ${entitled}), counted as (
      update license_seat_counts n set changes = n.changes + 1 from given g
      where n.organization_id = ${organizationId} and n.license_id = g.license_id
    ), resized as materialized (
      select g.license_id as id, l.max_seats as seats_before, case when g.ended then 0 else g.max_seats end as seats,
        g.ended, g.max_seats
      from given g join licenses l on l.organization_id = ${organizationId} and l.id = g.license_id
      where l.max_seats <> g.max_seats or g.ended
    ), added as (
      insert into seat_slots (organization_id, license_id, slot)
      select ${organizationId}, id, generate_series(seats_before + 1, seats) from resized
      on conflict (organization_id, license_id, slot) do nothing
    ), removed as (
      delete from seat_slots s using resized r
      where s.organization_id = ${organizationId} and s.license_id = r.id and s.slot > r.seats and s.session_id is null
    ), kept as (
      update seat_slots s set slot = s.slot + r.highest
      from (
        select id, max_seats,
          (select max(slot) from seat_slots where organization_id = ${organizationId} and license_id = id) as highest
        from resized where ended
      ) r
      where s.organization_id = ${organizationId} and s.license_id = r.id and s.session_id is not null
        and s.slot <= r.max_seats
    )
    update licenses l set product = g.product, max_seats = g.max_seats, features = g.features, expires_at = g.expires_at,
      renews = g.renews, plan_policy = ${PLAN_POLICY},
      heartbeat_interval_seconds = coalesce((l.policy ->> 'heartbeat_interval')::integer, g.heartbeat_interval_seconds),
      session_timeout_seconds = coalesce((l.policy ->> 'session_timeout')::integer, g.session_timeout_seconds), updated_at = ${wallTime(clockOffsetMs)},
      expiring_announced_for = ${WARNED_FOR}
    from given g
    where l.organization_id = ${organizationId} and l.id = g.license_id and l.subscription_id = g.subscription_id`,
});
