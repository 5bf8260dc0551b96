import type { FeatureValue } from '../../billing/index.ts';
import { type Statement, serviceTime, wallTime } from '../../database/index.ts';

/**
 * The statements of a seat's life. Whatever takes or ends a seat first locks its license's row in license_seat_counts, in
 * the order of the ids, so that two such transactions never wait for each other; it reads only afterwards, because a
 * statement that waits for a lock still sees what was true before. Heartbeats lock nothing but their own slot, so whatever
 * ends a session locks its slot as well, and then reads whether it is still over.
 */

/** A license as it is seen by whatever wants its seats. Times in milliseconds since 1970. */
export interface LicenseRow {
  id: string;
  key: string;
  state: 'active' | 'suspended' | 'revoked';
  product: string;
  max_seats: number;
  features: Record<string, FeatureValue>;
  expires_at_ms: number;
  created_at_ms: number;
  heartbeat_interval_seconds: number | null;
  session_timeout_seconds: number | null;
  /** Slots that hold a session, those past their timeout included. */
  taken: number;
  /** How many of those are past their timeout. */
  over: number;
}

/** The clocks, read after the lock: all times of one transaction come from here. */
export interface ClockRow {
  /** The database's clock. */
  real_ms: number;
  /** The organization's clock, which the API shows. */
  wall_ms: number;
  /** The clock of seat timeouts; see service_clock. */
  service_ms: number;
  away_ms: number;
}

/** A seat, free or taken. */
export interface SlotRow {
  license_id: string;
  slot: number;
  session_id: string | null;
  user_id: string | null;
  hardware_id: string | null;
  started_at_ms: number | null;
  last_heartbeat_ms: number | null;
  deadline_ms: number | null;
  /** What its metadata names as its project. */
  project_id: string | null;
  is_over: boolean;
}

const milliseconds = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;
const timeOf = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;
const OFFSET = '$2::bigint';

const slotColumns = (serviceNow: string) => `s.license_id, s.slot, s.session_id, s.user_id, s.hardware_id,
  ${milliseconds('s.started_at')} as started_at_ms, ${milliseconds('s.last_heartbeat')} as last_heartbeat_ms,
  ${milliseconds('s.deadline')} as deadline_ms, s.metadata ->> 'project_id' as project_id,
  coalesce(s.deadline <= ${serviceNow}, false) as is_over`;

/** $1 organizations: the seats of the licenses of each that can be used now. */
export const SUM_SEATS: Statement<{ organization_id: string; seats: number }> = {
  name: 'sum_seats',
  text: `
    with clock as materialized (
      select o.id, ${wallTime('o.clock_offset_ms')} as wall from organizations o where o.id = any($1::text[])
    )
    select clock.id as organization_id, sum(l.max_seats)::float8 as seats
    from clock join licenses l on l.organization_id = clock.id
    where l.state = 'active' and l.expires_at > clock.wall group by clock.id`,
};

/** $1 organization, $2 license keys. */
export const LOCK_LICENSES_BY_KEYS: Statement<{ license_id: string }> = {
  name: 'lock_licenses_by_keys',
  text: `select license_id from license_seat_counts
    where organization_id = $1
      and license_id in (select id from licenses where organization_id = $1 and key = any($2::text[]))
    order by license_id for update`,
};

/** $1 organization, $2 session ids. */
export const LOCK_LICENSES_BY_SESSIONS: Statement<{ license_id: string }> = {
  name: 'lock_licenses_by_sessions',
  text: `select license_id from license_seat_counts
    where organization_id = $1
      and license_id in (select license_id from seat_slots where organization_id = $1 and session_id = any($2::text[]))
    order by license_id for update`,
};

/**
 * $1 organization, $2 session ids: their seats, held until the transaction ends. It waits for heartbeats that came in time
 * but are not committed yet, in the order in which they lock, and what is read afterwards has seen them.
 */
export const LOCK_SLOTS_BY_SESSIONS: Statement<{ session_id: string }> = {
  name: 'lock_slots_by_sessions',
  text: `select session_id from seat_slots where organization_id = $1 and session_id = any($2::text[])
    order by session_id for update`,
};

/**
 * $1 organization, $2 clock offset, $3 license ids; with the clocks on every row. The service clock is read once, so that
 * what it counts as over is what the same reading, passed on, finds over: deadlines are whole milliseconds.
 */
export const LIST_LICENSES_WITH_CLOCK: Statement<LicenseRow & ClockRow> = {
  name: 'list_licenses_with_clock',
  text: `with c as materialized (select c.away_ms, ${serviceTime(OFFSET)} as service from service_clock c)
    select l.id, l.key, l.state, l.product, l.max_seats, l.features, ${milliseconds('l.expires_at')} as expires_at_ms,
      ${milliseconds('l.created_at')} as created_at_ms,
      l.heartbeat_interval_seconds, l.session_timeout_seconds, n.taken,
      (select count(*)::int from seat_slots s
        where s.organization_id = $1 and s.license_id = l.id and s.reap_at > '-infinity'
          and s.reap_at <= c.service and s.deadline <= c.service) as over,
      ${milliseconds('clock_timestamp()')} as real_ms, ${milliseconds(wallTime(OFFSET))} as wall_ms,
      ${milliseconds('c.service')} as service_ms, c.away_ms
    from licenses l join license_seat_counts n on n.organization_id = l.organization_id and n.license_id = l.id, c
    where l.organization_id = $1 and l.id = any($3::text[])`,
};

/**
 * $1 organization, $2 service time (ms), as it was read with the licenses: a session that times out between the two must
 * not count as alive in one and as over in the other. $3 license keys, $4 how many seats of each are wanted: free seats
 * first, then those past their timeout. Then, $5-$7 keys, users and machines: the seats that these machines hold already.
 */
export const LIST_CLAIMABLE_SLOTS: Statement<SlotRow> = {
  name: 'list_claimable_slots',
  text: `
    select found.* from unnest($3::text[], $4::int[]) as wanted (key, seats)
    join licenses l on l.organization_id = $1 and l.key = wanted.key
    cross join lateral (
      select ${slotColumns(timeOf('$2'))} from seat_slots s
      where s.organization_id = $1 and s.license_id = l.id and s.slot <= l.max_seats
        and s.reap_at <= ${timeOf('$2')} and (s.session_id is null or s.deadline <= ${timeOf('$2')})
      order by s.reap_at, s.slot limit wanted.seats
    ) found
    union all
    select ${slotColumns(timeOf('$2'))} from unnest($5::text[], $6::text[], $7::text[]) as machine (key, user_id, hardware_id)
    join licenses l on l.organization_id = $1 and l.key = machine.key
    join seat_slots s on s.organization_id = $1 and s.license_id = l.id and s.user_id = machine.user_id
      and s.hardware_id = machine.hardware_id and s.session_id is not null`,
};

/** $1 organization, $2 clock offset, $3 session ids: the seats they hold, past their timeout or not. */
export const LIST_SLOTS_BY_SESSIONS: Statement<SlotRow> = {
  name: 'list_slots_by_sessions',
  text: `select ${slotColumns(serviceTime(OFFSET))} from seat_slots s cross join service_clock c
    where s.organization_id = $1 and s.session_id = any($3::text[])`,
};

/**
 * Gives seats to new sessions and renews those that their machine asked for again, all in one conditional statement: a row
 * is missing from the result when its seat is not what it was when it was chosen. The sessions that lose their seat
 * go to the history first, as the statement still sees them. $1 organization, $2 wall, $3 service time, $4 away (ms);
 * then arrays, one element for each seat.
 */
export const UPDATE_SLOTS_TAKEN: Statement<{ session_id: string }> = {
  name: 'update_slots_taken',
  text: `
    with taking as (
      select * from unnest($5::text[], $6::int[], $7::boolean[], $8::text[], $9::text[], $10::text[], $11::jsonb[],
        $12::float8[], $13::float8[], $14::float8[])
      as t (license_id, slot, is_new, session_id, user_id, hardware_id, metadata, timeout_ms, issued_ms, expires_ms)
    ), ended as (
      insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, metadata, started_at,
        last_heartbeat, ended_at, status)
      select s.organization_id, s.session_id, s.license_id, s.user_id, s.hardware_id, s.metadata, s.started_at,
        s.last_heartbeat, least(s.deadline + $4::bigint * interval '1 millisecond', ${timeOf('$2')}), 'timed_out'
      from taking t join seat_slots s
        on s.organization_id = $1::text and s.license_id = t.license_id and s.slot = t.slot
      where t.is_new and s.session_id is not null
    ), counted as (
      update license_seat_counts n set taken = n.taken + added.seats
      from (
        select t.license_id, count(*)::int as seats from taking t join seat_slots s
          on s.organization_id = $1 and s.license_id = t.license_id and s.slot = t.slot
        where t.is_new and s.session_id is null group by t.license_id
      ) added
      where n.organization_id = $1 and n.license_id = added.license_id
    )
    update seat_slots s set
      session_id = t.session_id,
      user_id = t.user_id,
      hardware_id = t.hardware_id,
      metadata = case when t.is_new then t.metadata else s.metadata end,
      started_at = case when t.is_new then ${timeOf('$2')} else s.started_at end,
      last_heartbeat = ${timeOf('$2')},
      deadline = ${timeOf('($3::float8 + t.timeout_ms)')},
      reap_at = case when t.is_new then ${timeOf('($3::float8 + t.timeout_ms)')}
        else least(s.reap_at, ${timeOf('($3::float8 + t.timeout_ms)')}) end,
      token_issued_at = ${timeOf('t.issued_ms')},
      token_expires_at = ${timeOf('t.expires_ms')}
    from taking t
    where s.organization_id = $1 and s.license_id = t.license_id and s.slot = t.slot
      and case when t.is_new then s.session_id is null or s.deadline <= ${timeOf('$3')}
        else s.session_id = t.session_id end
    returning s.session_id`,
};

/**
 * Ends sessions: their seats become free, or vanish when the license has shrunk below them, and the history gets its row.
 * $1 organization, $2 session ids, $3 `released` or `timed_out`, $4 wall time, $5 away (ms).
 */
export const UPDATE_SLOTS_ENDED: Statement<{ id: string }> = {
  name: 'update_slots_ended',
  text: `
    with ending as (
      select s.*, s.slot > l.max_seats as is_surplus from seat_slots s
      join licenses l on l.organization_id = s.organization_id and l.id = s.license_id
      where s.organization_id = $1 and s.session_id = any($2::text[])
    ), freed as (
      update seat_slots s set session_id = null, user_id = null, hardware_id = null, metadata = null, started_at = null,
        last_heartbeat = null, deadline = null, reap_at = '-infinity', token_issued_at = null, token_expires_at = null
      from ending e
      where s.organization_id = $1 and s.license_id = e.license_id and s.slot = e.slot and not e.is_surplus
    ), removed as (
      delete from seat_slots s using ending e
      where s.organization_id = $1 and s.license_id = e.license_id and s.slot = e.slot and e.is_surplus
    ), counted as (
      update license_seat_counts n set taken = n.taken - gone.seats
      from (select license_id, count(*)::int as seats from ending group by license_id) gone
      where n.organization_id = $1 and n.license_id = gone.license_id
    )
    insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, metadata, started_at,
      last_heartbeat, ended_at, status)
    select organization_id, session_id, license_id, user_id, hardware_id, metadata, started_at, last_heartbeat,
      case $3::text when 'released' then ${timeOf('$4')}
        else least(deadline + $5::bigint * interval '1 millisecond', ${timeOf('$4')}) end, $3
    from ending returning id`,
};
