import { arrays, isoTimeInSql, many, milliseconds, serviceTime, statement, wallTime } from '../../database/index.ts';
import type { WriteEvents } from '../../events/index.ts';
import { LICENSE_SEAT_ACQUIRED, LICENSE_SEATS_EXHAUSTED } from '../events.ts';
import type { ClockRow, LicenseRow } from './queries.ts';

/** The outcome of one permitted request for a seat. The license and the clock are the same in all rows. */
export interface FreeSeatRow
  extends Omit<LicenseRow, 'created_at_ms' | 'over' | 'allowed_users' | 'changes'>,
    Pick<ClockRow, 'real_ms' | 'wall_ms' | 'service_ms'> {
  /** The position of the request. */
  place: number;
  /** Whether the license is for this user. */
  is_allowed: boolean;
  /** Whether the seat was taken. */
  is_taken: boolean;
  /**
   * Whether another transaction took or ended a seat, or changed the license, while the statement waited for its lock.
   */
  is_overtaken: boolean;
  /** Whether a session of the license is past its timeout but still holds its seat. */
  has_over: boolean;
  /** Whether one of the machines holds a seat of the license, past its timeout or not. */
  has_held: boolean;
}

/**
 * Gives free seats of one license to new sessions and announces them: the complete common case in one statement. It
 * does nothing unless the line is empty, all requests can be granted this way, the license is for all the users, no
 * session of the license is past its timeout and none of the machines has a seat. The rows then contain the reason.
 *
 * Like the statement for heartbeats, it also checks the callers' tokens. A request gets no row if its token is revoked,
 * expired, without the scope, or of a user who has left, or if there is no such license. Requests whose token was
 * checked before come without its hash.
 *
 * A statement that waited for a lock continues with the snapshot from before the wait. So the license's number of
 * changes in the snapshot is compared with the number under the lock: if they match, nothing has changed in between,
 * and the snapshot is as good as a read under the lock. Neither the free seats nor the machines' sessions can have
 * changed then. The taken seats are compared as well, because a process of the previous version may run alongside
 * during an upgrade, and does not count its changes. A heartbeat can, but only so that a session past its timeout in
 * the snapshot was not.
 *
 * Timed-out sessions and free seats are found without a join, so that PostgreSQL scans an index in order and stops
 * early.
 *
 * The clock is read after the lock, and before anything is written. A statement that waited long for a transaction that
 * rolled back also does nothing, because the service clock in its snapshot is too old.
 */
export function defineUpdateFreeSlots(writeEvents: WriteEvents, suffix: string) {
  return statement({
    name: `update_free_slots${suffix}`,
    parameters: {
      organizationId: 'text',
      key: 'text',
      timeoutSeconds: 'integer',
      tokenTtlSeconds: 'integer',
      scope: 'text',
      given: arrays({
        place: 'integer',
        token_hash: 'bytea | null',
        session_id: 'text',
        user_id: 'text',
        hardware_id: 'text',
        metadata: 'jsonb | null',
        acquired_event: 'text',
        exhausted_event: 'text',
      }),
    },
    returns: many<FreeSeatRow>(),
    sql: ({ organizationId, key, timeoutSeconds, tokenTtlSeconds, scope, given }) => `
    with given as materialized (select * from ${given} ${UNSEEN_LIMIT}), started as materialized (
      select clock_timestamp() as t
    ), wanted as materialized (
      select g.*, row_number() over (order by g.place)::integer as rank
      from given g ${callersToken(organizationId)}
      where g.token_hash is null or (b.user_id = g.user_id and ${isGoodToken(organizationId, scope)})
    ), license as materialized (
      select l.id, l.key, l.state, l.product, l.max_seats, l.features, l.expires_at, l.created_at,
        coalesce(l.heartbeat_interval_seconds, p.heartbeat_interval_seconds) as heartbeat_interval_seconds,
        coalesce(l.session_timeout_seconds, p.session_timeout_seconds) as session_timeout_seconds, l.allowed_users,
        n.taken, n.changes, n.waiting, o.clock_offset_ms as offset_ms
      from licenses l join license_seat_counts n on n.organization_id = l.organization_id and n.license_id = l.id
      join organizations o on o.id = l.organization_id
      left join products p on p.key = l.product
      where l.organization_id = ${organizationId} and l.key = ${key}
    ), locked as materialized (
      select n.changes, n.taken from license l
      join license_seat_counts n on n.organization_id = ${organizationId} and n.license_id = l.id
      where l.state = 'active' and l.waiting = 0 and l.taken + (select count(*) from wanted) <= l.max_seats
      for update of n
    ), clock as materialized (
      select n.t as real, ${wallTime('l.offset_ms', 'n.t')} as wall, ${serviceTime('l.offset_ms', 'n.t')} as service
      from (select date_trunc('milliseconds', clock_timestamp()) as t from (select count(*) from locked) waited) n
      cross join license l cross join service_clock c limit 1
    ), over as materialized (
      select slot from seat_slots
      where organization_id = ${organizationId} and license_id = (select id from license) and reap_at > '-infinity'
        and reap_at <= (select service from clock) and deadline <= (select service from clock)
      order by reap_at limit 1
    ), held as materialized (
      select s.slot from license l cross join wanted w
      join seat_slots s on s.organization_id = ${organizationId} and s.license_id = l.id and s.user_id = w.user_id
        and s.hardware_id = w.hardware_id and s.session_id is not null limit 1
    ), ready as materialized (
      select l.*, c.real, c.wall,
        c.service + coalesce(l.session_timeout_seconds, ${timeoutSeconds}) * interval '1 second' as deadline,
        date_trunc('second', c.real) as issued_at,
        date_trunc('second', least(c.real + ${tokenTtlSeconds} * interval '1 second',
          l.expires_at - l.offset_ms * interval '1 millisecond')) as token_expires_at
      from license l join locked on locked.changes = l.changes and locked.taken = l.taken cross join clock c
      where l.expires_at > c.wall and c.real < statement_timestamp() + interval '${LONGEST_WAIT_MS} milliseconds'
        and not exists (select from over) and not exists (select from held)
        and not exists (select from wanted w where w.user_id <> all(l.allowed_users))
    ), free as materialized (
      select slot, row_number() over (order by slot) as rank from (
        select slot from seat_slots
        where organization_id = ${organizationId} and license_id = (select id from ready) and reap_at = '-infinity'
          and session_id is null and slot <= (select max_seats from ready)
        order by slot limit (select count(*) from wanted)
      ) lowest
    ), taken as (
      update seat_slots s set session_id = w.session_id, user_id = w.user_id, hardware_id = w.hardware_id,
        metadata = w.metadata, started_at = l.wall, last_heartbeat = l.wall, deadline = l.deadline, reap_at = l.deadline,
        token_issued_at = l.issued_at, token_expires_at = l.token_expires_at, offline_until = null
      from ready l cross join wanted w join free on free.rank = w.rank
      where s.organization_id = ${organizationId} and s.license_id = l.id and s.slot = free.slot
        and s.session_id is null
      returning w.rank, w.session_id, w.user_id, w.hardware_id, w.acquired_event, w.exhausted_event
    ), counted as (
      update license_seat_counts n set taken = n.taken + t.seats, changes = n.changes + 1
      from (select count(*)::integer as seats from taken) t cross join ready l
      where t.seats > 0 and n.organization_id = ${organizationId} and n.license_id = l.id
    ), announced as materialized (
      select t.acquired_event as id, '${LICENSE_SEAT_ACQUIRED.type}' as type, l.wall as created, jsonb_build_object(
          'session_id', t.session_id, 'license_id', l.id, 'user_id', t.user_id, 'hardware_id', t.hardware_id,
          'active_seats', l.taken + t.rank, 'max_seats', l.max_seats) as object
      from taken t cross join ready l
      union all
      select t.exhausted_event, '${LICENSE_SEATS_EXHAUSTED.type}', l.wall, jsonb_build_object(
          'id', l.id, 'license_id', l.id, 'key', l.key, 'product', l.product, 'max_seats', l.max_seats,
          'active_seats', l.max_seats, 'status', 'active', 'created_at', ${isoTimeInSql('l.created_at')},
          'expires_at', case when l.expires_at < 'infinity' then ${isoTimeInSql('l.expires_at')} end)
      from taken t cross join ready l where l.taken + t.rank = l.max_seats
    ), ${writeEvents(organizationId, 'announced', '(select real from clock)')}
    select w.place, l.id, l.key, l.state, l.product, l.max_seats, l.features, l.taken, l.waiting, l.heartbeat_interval_seconds,
      l.session_timeout_seconds, ${milliseconds('l.expires_at')} as expires_at_ms, ${milliseconds('c.real')} as real_ms,
      ${milliseconds('c.wall')} as wall_ms, ${milliseconds('c.service')} as service_ms, t.rank is not null as is_taken,
      coalesce(w.user_id = any(l.allowed_users), true) as is_allowed,
      coalesce((select (locked.changes, locked.taken) from locked) <> (l.changes, l.taken), false) as is_overtaken,
      exists (select from over) as has_over, exists (select from held) as has_held
    from wanted w cross join license l cross join clock c left join taken t on t.rank = w.rank`,
  });
}

/** SQL: the token `b` of the parameters `g`, and the membership `m` of its user. */
export function callersToken(organizationId: string): string {
  return `left join bearer_tokens b on b.token_hash = g.token_hash
      left join memberships m on m.organization_id = ${organizationId} and m.user_id = b.user_id`;
}

/** SQL: whether that token gives access. `started.t` is the time. */
export function isGoodToken(organizationId: string, scope: string): string {
  return `b.revoked_at is null and (b.expires_at is null or b.expires_at > (select t from started))
        and (b.scopes is null or ${scope} = any(b.scopes)) and (b.kind = 'session' or b.organization_id = ${organizationId})
        and m.role is not null
        and (select o.suspended_at is null from organizations o where o.id = ${organizationId})`;
}

/**
 * The planner cannot see this limit, and expects a tenth of the rows: one of the ten that it expects of any array. For
 * ten, it would read all counts of a small installation, or all seats of a license, to find a few.
 */
export const UNSEEN_LIMIT = 'limit (select 1000)';

/** Less than the tolerance of the service clock, so its value in the snapshot is not too old. */
const LONGEST_WAIT_MS = 500;
