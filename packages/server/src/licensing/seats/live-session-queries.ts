import { arrays, isoTimeInSql, many, milliseconds, serviceTime, statement, wallTime } from '../../database/index.ts';
import type { WriteEvents } from '../../events/index.ts';
import { LICENSE_SEAT_RELEASED } from '../events.ts';
import { namesProject } from '../project-usage/project-rules.ts';
import { callersToken, isGoodToken, UNSEEN_LIMIT } from './free-seat-queries.ts';

/** A session that was released. */
export interface ReleasedRow {
  session_id: string;
  /** On the organization's clock. */
  released_at_ms: number;
  /** The license, if machines are waiting for its seats. */
  awaited_license: string | null;
}

/**
 * Releases sessions and announces it: the complete common case in one statement. It skips sessions that are not alive,
 * or not the caller's own (those ended by an admin are listed as revoked), or whose license has a session past its
 * timeout or a seat beyond its number. Like `defineUpdateFreeSlots`, it also skips those of a license that changed
 * while the statement waited for its lock, and checks the callers' tokens.
 */
export function defineUpdateLiveSlots(writeEvents: WriteEvents, suffix: string) {
  return statement({
    name: `update_live_slots${suffix}`,
    parameters: {
      organizationId: 'text',
      scope: 'text',
      given: arrays({
        session_id: 'text',
        token_hash: 'bytea | null',
        released_by: 'text',
        released_event: 'text',
      }),
    },
    returns: many<ReleasedRow>(),
    sql: ({ organizationId, scope, given }) => `
    with given as materialized (select * from ${given} ${UNSEEN_LIMIT}), started as materialized (
      select clock_timestamp() as t
    ), asked as materialized (
      select g.session_id, g.released_event, coalesce(b.user_id, g.released_by) as released_by
      from given g ${callersToken(organizationId)}
      where g.token_hash is null or (${isGoodToken(organizationId, scope)})
    ), license as materialized (
      select l.id, l.max_seats, n.taken, n.changes, n.waiting
      from (
        select distinct s.license_id from asked a
        join seat_slots s on s.organization_id = ${organizationId} and s.session_id = a.session_id
      ) named
      join licenses l on l.organization_id = ${organizationId} and l.id = named.license_id
      join license_seat_counts n on n.organization_id = ${organizationId} and n.license_id = named.license_id
    ), locked as materialized (
      select n.license_id, n.changes, n.taken from license l
      join license_seat_counts n on n.organization_id = ${organizationId} and n.license_id = l.id
      order by n.license_id for update of n
    ), unchanged as materialized (
      select l.* from license l join locked on locked.license_id = l.id
        and locked.changes = l.changes and locked.taken = l.taken
    ), held as materialized (
      -- Waits for a heartbeat that is not committed yet, and includes it.
      select s.license_id, s.slot, s.session_id, s.user_id, s.hardware_id, s.metadata, s.started_at, s.last_heartbeat,
        s.offline_until, s.deadline, a.released_event, a.released_by
      from asked a join seat_slots s on s.organization_id = ${organizationId} and s.session_id = a.session_id
      join unchanged l on l.id = s.license_id
      where s.slot <= l.max_seats and a.released_by = s.user_id
      order by s.session_id for update of s
    ), clock as materialized (
      select n.t as real, ${wallTime('o.clock_offset_ms', 'n.t')} as wall,
        ${serviceTime('o.clock_offset_ms', 'n.t')} as service
      from (select date_trunc('milliseconds', clock_timestamp()) as t from (select count(*) from held) waited) n
      join organizations o on o.id = ${organizationId} cross join service_clock c limit 1
    ), over as materialized (
      select distinct s.license_id from unchanged l
      join seat_slots s on s.organization_id = ${organizationId} and s.license_id = l.id
      cross join clock c
      where s.reap_at > '-infinity' and s.reap_at <= c.service and s.deadline <= c.service
    ), ending as materialized (
      select h.*, l.max_seats, l.waiting, c.real, c.wall,
        l.taken - row_number() over (partition by h.license_id order by h.session_id) as active_seats
      from held h join unchanged l on l.id = h.license_id cross join clock c
      where h.deadline > c.service and c.real < statement_timestamp() + interval '${LONGEST_WAIT_MS} milliseconds'
        and h.license_id not in (select license_id from over)
    ), freed as (
      update seat_slots s set session_id = null, user_id = null, hardware_id = null, metadata = null, started_at = null,
        last_heartbeat = null, deadline = null, reap_at = '-infinity', token_issued_at = null, token_expires_at = null,
        offline_until = null
      from ending e
      where s.organization_id = ${organizationId} and s.license_id = e.license_id and s.slot = e.slot
        and s.session_id = e.session_id
    ), counted as (
      update license_seat_counts n set taken = n.taken - gone.seats, changes = n.changes + 1
      from (select license_id, count(*)::integer as seats from ending group by license_id) gone
      where n.organization_id = ${organizationId} and n.license_id = gone.license_id
    ), kept as (
      insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, metadata, started_at,
        last_heartbeat, ended_at, status, released_by, offline_until)
      select ${organizationId}, session_id, license_id, user_id, hardware_id, metadata, started_at, last_heartbeat, wall,
        'released', released_by, offline_until
      from ending
    ), days as (
      insert into project_usage_days (organization_id, project_id, day, sessions, seat_seconds)
      select ${organizationId}, metadata ->> 'project_id', date_trunc('day', wall, 'UTC'), count(*),
        sum(greatest(0, round(extract(epoch from wall - started_at))))
      from ending where ${namesProject('metadata')} group by 2, 3 order by 2, 3
      on conflict (organization_id, project_id, day) do update set
        sessions = project_usage_days.sessions + excluded.sessions,
        seat_seconds = project_usage_days.seat_seconds + excluded.seat_seconds
    ), announced as materialized (
      select released_event as id, '${LICENSE_SEAT_RELEASED.type}' as type, wall as created, jsonb_build_object(
          'id', session_id, 'user_id', user_id, 'hardware_id', hardware_id, 'started_at', ${isoTimeInSql('started_at')},
          'last_heartbeat', ${isoTimeInSql('last_heartbeat')}, 'status', 'released',
          'released_at', ${isoTimeInSql('wall')}, 'ended_at', ${isoTimeInSql('wall')}, 'released_by', released_by,
          'offline_until', ${isoTimeInSql('offline_until')}, 'session_id', session_id, 'license_id', license_id,
          'active_seats', active_seats, 'max_seats', max_seats) as object
      from ending
    ), ${writeEvents(organizationId, 'announced', '(select real from clock)')}
    select session_id, ${milliseconds('wall')} as released_at_ms,
      case when waiting > 0 then license_id end as awaited_license from ending`,
  });
}

/** Less than the tolerance of the service clock, so its value in the snapshot is not too old. */
const LONGEST_WAIT_MS = 500;
