import { type Statement, wallTime } from '../../database/index.ts';

/**
 * The statements of licenses that subscriptions pay for, each for any number of them, so that five hundred renewals cost as
 * many round trips as one.
 */

/** $1 organization, $2 licenses: those of them that exist, held as LOCK_LICENSE holds one, always in the same order. */
export const LOCK_LICENSES: Statement<{ license_id: string }> = {
  name: 'lock_licenses',
  text: `select license_id from license_seat_counts
    where organization_id = $1 and license_id = any($2::text[]) order by license_id for update`,
};

const GIVEN = `given as materialized (
      select * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::jsonb[], $8::timestamptz[], $9::boolean[],
        $10::int[], $11::int[], $12::boolean[]) as g (id, subscription_id, product, max_seats, features, expires_at, renews,
        heartbeat_interval_seconds, session_timeout_seconds, ended)
    )`;

/** $1 organization, $2 offset, $3-$12 the terms, $13 keys: one element for each license. */
export const INSERT_SUBSCRIBED_LICENSES: Statement<{ id: string }> = {
  name: 'insert_subscribed_licenses',
  text: `
    with ${GIVEN}, keyed as (
      select * from unnest($3::text[], $13::text[]) as k (id, key)
    ), counted as (
      insert into license_seat_counts (organization_id, license_id) select $1::text, id from given
    ), slots as (
      insert into seat_slots (organization_id, license_id, slot)
      select $1, id, generate_series(1, max_seats) from given where not ended
    )
    insert into licenses (organization_id, id, key, subscription_id, product, max_seats, features, state, expires_at,
      renews, heartbeat_interval_seconds, session_timeout_seconds, created_at, updated_at)
    select $1, g.id, k.key, g.subscription_id, g.product, g.max_seats, g.features, 'active', g.expires_at,
      g.renews, g.heartbeat_interval_seconds, g.session_timeout_seconds, n.t, n.t
    from given g join keyed k on k.id = g.id, (select ${wallTime('$2::bigint')} as t) n
    returning id`,
};

/** Whoever was warned of an end is not warned again because it moved by minutes, as it does when a last retry begins. */
const WARNED_FOR = `case
        when l.expiring_announced_for = l.expires_at and not g.renews
          and g.expires_at between l.expires_at and l.expires_at + interval '1 hour' then g.expires_at
        else l.expiring_announced_for end`;

/**
 * Makes licenses as given, under their locks; what the operator decided of them stays. Seats are added and taken away as by
 * UPDATE_LICENSE_SEATS, and touched only where their number changes: most renewals change none. A license that has ended for
 * good still says how many it had, but has none: those that are free go, and those in use get a number beyond the license, so
 * that they go as all such seats do, with their session. $1 organization, $2 offset, $3-$12 the terms, one element for each
 * license.
 */
export const UPDATE_SUBSCRIBED_LICENSES: Statement<{ id: string }> = {
  name: 'update_subscribed_licenses',
  text: `
    with ${GIVEN}, resized as materialized (
      select g.id, l.max_seats as seats_before, case when g.ended then 0 else g.max_seats end as seats, g.ended,
        g.max_seats
      from given g join licenses l on l.organization_id = $1::text and l.id = g.id
      where l.max_seats <> g.max_seats or g.ended
    ), added as (
      insert into seat_slots (organization_id, license_id, slot)
      select $1, id, generate_series(seats_before + 1, seats) from resized
      on conflict (organization_id, license_id, slot) do nothing
    ), removed as (
      delete from seat_slots s using resized r
      where s.organization_id = $1 and s.license_id = r.id and s.slot > r.seats and s.session_id is null
    ), kept as (
      update seat_slots s set slot = s.slot + r.highest
      from (
        select id, max_seats, (select max(slot) from seat_slots where organization_id = $1 and license_id = id) as highest
        from resized where ended
      ) r
      where s.organization_id = $1 and s.license_id = r.id and s.session_id is not null and s.slot <= r.max_seats
    )
    update licenses l set product = g.product, max_seats = g.max_seats, features = g.features, expires_at = g.expires_at,
      renews = g.renews, heartbeat_interval_seconds = g.heartbeat_interval_seconds,
      session_timeout_seconds = g.session_timeout_seconds, updated_at = ${wallTime('$2::bigint')},
      expiring_announced_for = ${WARNED_FOR}
    from given g
    where l.organization_id = $1 and l.id = g.id and l.subscription_id = g.subscription_id
    returning l.id`,
};
