import { count, many, milliseconds, one, serviceTime, statement, wallTime } from '../../database/index.ts';

/*
 * A session occupies its seat from its start until before its end. One past its timeout does so until the timeout, for
 * these as for all other readers, ended or not. Ends and starts at the same instant are combined, so that a seat that
 * is passed on is not counted twice.
 *
 * These statements read licensing's sessions themselves: the peak is computed from sessions and counted hours of one
 * snapshot, and going through licensing's front door would pass every session.
 */

const HOUR = `interval '1 hour'`;

/**
 * The sessions that ended after a time or still run: `held`, each from its start on, and `clock`. Running sessions are
 * found by their seats; `is_over` marks one that has timed out but has not been ended yet. The upper bound tells the
 * planner that the range is short.
 */
const heldSince = (organizationId: string, clockOffsetMs: string, since: string) => `
    clock as materialized (
      select c.away_ms, ${serviceTime(clockOffsetMs)} as service, ${wallTime(clockOffsetMs)} as wall from service_clock c
    ), running as materialized (
      select s.started_at, s.deadline <= clock.service as is_over,
        case when s.deadline <= clock.service
          then least(s.deadline + clock.away_ms * interval '1 millisecond', clock.wall)::timestamptz(3)
          else 'infinity' end as ended_at
      from clock, seat_slots s where s.organization_id = ${organizationId} and s.session_id is not null
    ), held as materialized (
      select started_at, ended_at from running where ended_at > ${since} and ended_at > started_at
      union all
      select e.started_at, e.ended_at from seat_sessions e
      where e.organization_id = ${organizationId} and e.ended_at > ${since}
        and e.ended_at <= (select wall + ${HOUR} from clock) and e.ended_at > e.started_at
    )`;

/** The maximum number of seats at one moment of a range not counted by the hour yet. It is open if `until` is null. */
export const findOpenPeak = statement({
  name: 'find_open_seat_peak',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', from: 'instant', until: 'instant | null' },
  returns: one<{ peak: number }>(),
  sql: ({ organizationId, clockOffsetMs, from, until }) => `with ${heldSince(organizationId, clockOffsetMs, from)},
    changes as (
      select greatest(started_at, ${from}) as at, 1 as seats from held
      union all
      select ended_at, -1 from held
    ), moments as (
      select at, sum(seats) as seats from changes
      where at < coalesce(${until}, 'infinity') group by at
    )
    select coalesce(max(active), 0)::int as peak
    from (select sum(seats) over (order by at) as active from moments) levels`,
});

/** The maximum number of seats at one moment of counted whole hours. */
export const findCountedPeak = statement({
  name: 'find_counted_seat_peak',
  parameters: { organizationId: 'text', from: 'instant', until: 'instant' },
  returns: one<{ peak: number }>(),
  sql: ({ organizationId, from, until }) => `select coalesce(max(peak), 0)::int as peak from usage_seat_hours
    where organization_id = ${organizationId} and hour >= ${from} and hour < ${until}`,
});

/**
 * The maximum number of seats at one moment of a part of a counted hour: every session in it has ended or is still
 * running.
 */
export const findPeakOfPart = statement({
  name: 'find_seat_peak_of_part',
  parameters: { organizationId: 'text', hour: 'instant', from: 'instant', until: 'instant' },
  returns: one<{ peak: number }>(),
  sql: ({ organizationId, hour, from, until }) => `
    with changes as (
      select ${hour} as at, coalesce((select active_at_start from usage_seat_hours
        where organization_id = ${organizationId} and hour = ${hour}), 0) as seats
      union all
      select started_at, 1 from seat_sessions
      where organization_id = ${organizationId} and started_at > ${hour} and started_at < ${until}
        and ended_at > started_at
      union all
      select started_at, 1 from seat_slots
      where organization_id = ${organizationId} and session_id is not null
        and started_at > ${hour} and started_at < ${until}
      union all
      select ended_at, -1 from seat_sessions
      where organization_id = ${organizationId} and ended_at > ${hour} and ended_at < ${until}
        and ended_at > started_at
    ), moments as (
      select greatest(at, ${from}) as at, sum(seats) as seats from changes group by 1
    )
    select coalesce(max(active), 0)::int as peak
    from (select sum(seats) over (order by at) as active from moments) levels`,
});

/** An organization, and the progress of counting its hours. Times in milliseconds since 1970. */
export interface CountingRow {
  organization_id: string;
  clock_offset_ms: number;
  now_ms: number;
  /** Until when its hours are counted; null if none is. */
  counted_until_ms: number | null;
  /** When its first session began; null if there is none, or its hours are counted already. */
  first_ms: number | null;
  /** Whether there is anything to count since then. */
  is_busy: boolean;
}

/** A portion of all organizations by ID, after the last one of the previous portion. */
export const listOrganizationsToCount = statement({
  name: 'list_seat_counting',
  parameters: { after: 'text', limit: 'integer' },
  returns: many<CountingRow>(),
  sql: ({ after, limit }) => `select o.id as organization_id, o.clock_offset_ms,
      ${milliseconds(wallTime('o.clock_offset_ms'))} as now_ms,
      ${milliseconds('k.counted_until')} as counted_until_ms,
      case when k.counted_until is null then ${milliseconds(`(select least(
        (select e.started_at from seat_sessions e where e.organization_id = o.id order by e.started_at limit 1),
        (select min(s.started_at) from seat_slots s where s.organization_id = o.id and s.session_id is not null)))`)}
        end as first_ms,
      exists (select from seat_sessions e where e.organization_id = o.id and e.ended_at > k.counted_until)
        or exists (select from seat_slots s where s.organization_id = o.id and s.session_id is not null) as is_busy
    from organizations o left join usage_seat_marks k on k.organization_id = o.id
    where o.id > ${after} and o.deleted_at is null order by o.id limit ${limit}`,
});

/**
 * Counts whole hours and moves the mark in the same statement: of two concurrent ones, one finds it moved and writes
 * nothing. Nothing is counted while a session is past its timeout but not ended yet, because its end is not final.
 * Counts one if the mark moved.
 */
export const countHours = statement({
  name: 'count_seat_hours',
  parameters: {
    organizationId: 'text',
    clockOffsetMs: 'bigint',
    from: 'instant',
    until: 'instant',
    hasMark: 'boolean',
  },
  returns: count(),
  sql: ({ organizationId, clockOffsetMs, from, until, hasMark }) => `with
    ${heldSince(organizationId, clockOffsetMs, from)}, moved as (
      insert into usage_seat_marks as k (organization_id, counted_until)
      select ${organizationId}, ${until} where not exists (select from running where is_over)
      on conflict (organization_id) do update set counted_until = excluded.counted_until
        where ${hasMark} and k.counted_until = ${from}
      returning k.organization_id
    ), changes as (
      select greatest(started_at, ${from}) as at, 1 as seats from held
      union all
      select ended_at, -1 from held
      union all
      select hour, 0 from generate_series(${from}, ${until} - ${HOUR}, ${HOUR}) hour
    ), moments as (
      select at, sum(seats) as seats from changes where at < ${until} group by at
    ), levels as (
      select at, date_trunc('hour', at, 'UTC') as hour, sum(seats) over (order by at) as active from moments
    ), counted as (
      insert into usage_seat_hours (organization_id, hour, active_at_start, peak)
      select moved.organization_id, hour, max(active) filter (where at = hour), max(active)
      from levels, moved group by moved.organization_id, hour having max(active) > 0
      on conflict (organization_id, hour) do nothing
    )
    select organization_id from moved`,
});
