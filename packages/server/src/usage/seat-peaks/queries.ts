import { type Statement, serviceTime, wallTime } from '../../database/index.ts';

/*
 * A session occupies its seat from its start until before its end; one past its timeout until its timeout, for these as for
 * every other reader, whether it was tidied up or not. At one instant ends and starts count together, so that a seat which
 * is passed on is not counted twice.
 */

const milliseconds = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;
const timeOf = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;
const HOUR = `interval '1 hour'`;

/**
 * The sessions that ended after a time or run still: `held`, each from its start on; and `clock`. Those that run are found by
 * their seats; `is_over` is one that has timed out and has not been tidied up. The upper bound is there for the planner: it
 * tells that the stretch is short. $1 organization, $2 clock offset, $3 the time (ms).
 */
const HELD_SINCE = `
    clock as materialized (
      select c.away_ms, ${serviceTime('$2::bigint')} as service, ${wallTime('$2::bigint')} as wall from service_clock c
    ), running as materialized (
      select s.started_at, s.deadline <= clock.service as is_over,
        case when s.deadline <= clock.service
          then least(s.deadline + clock.away_ms * interval '1 millisecond', clock.wall)::timestamptz(3)
          else 'infinity' end as ended_at
      from clock, seat_slots s where s.organization_id = $1 and s.session_id is not null
    ), held as materialized (
      select started_at, ended_at from running where ended_at > ${timeOf('$3')} and ended_at > started_at
      union all
      select e.started_at, e.ended_at from seat_sessions e
      where e.organization_id = $1 and e.ended_at > ${timeOf('$3')}
        and e.ended_at <= (select wall + ${HOUR} from clock) and e.ended_at > e.started_at
    )`;

/**
 * The most seats at one moment of a stretch that reaches into what is not counted by the hour. $1 organization, $2 clock
 * offset, $3 its start, $4 its end (ms) or null when it is open.
 */
export const FIND_OPEN_PEAK: Statement<{ peak: number }> = {
  name: 'find_open_seat_peak',
  text: `with ${HELD_SINCE}, changes as (
      select greatest(started_at, ${timeOf('$3')}) as at, 1 as seats from held
      union all
      select ended_at, -1 from held
    ), moments as (
      select at, sum(seats) as seats from changes
      where at < coalesce(${timeOf('$4')}, 'infinity') group by at
    )
    select coalesce(max(active), 0)::int as peak
    from (select sum(seats) over (order by at) as active from moments) levels`,
};

/** $1 organization, $2 start and $3 end (ms) of whole hours that are counted. */
export const FIND_COUNTED_PEAK: Statement<{ peak: number }> = {
  name: 'find_counted_seat_peak',
  text: `select coalesce(max(peak), 0)::int as peak from usage_seat_hours
    where organization_id = $1 and hour >= ${timeOf('$2')} and hour < ${timeOf('$3')}`,
};

/**
 * The most seats at one moment of a part of an hour that is counted: whoever used a seat in it has ended or still runs.
 * $1 organization, $2 the hour, $3 start and $4 end of the part (ms).
 */
export const FIND_PEAK_OF_PART: Statement<{ peak: number }> = {
  name: 'find_seat_peak_of_part',
  text: `
    with changes as (
      select ${timeOf('$2')} as at, coalesce((select active_at_start from usage_seat_hours
        where organization_id = $1 and hour = ${timeOf('$2')}), 0) as seats
      union all
      select started_at, 1 from seat_sessions
      where organization_id = $1 and started_at > ${timeOf('$2')} and started_at < ${timeOf('$4')}
        and ended_at > started_at
      union all
      select started_at, 1 from seat_slots
      where organization_id = $1 and session_id is not null
        and started_at > ${timeOf('$2')} and started_at < ${timeOf('$4')}
      union all
      select ended_at, -1 from seat_sessions
      where organization_id = $1 and ended_at > ${timeOf('$2')} and ended_at < ${timeOf('$4')}
        and ended_at > started_at
    ), moments as (
      select greatest(at, ${timeOf('$3')}) as at, sum(seats) as seats from changes group by 1
    )
    select coalesce(max(active), 0)::int as peak
    from (select sum(seats) over (order by at) as active from moments) levels`,
};

/** An organization with licenses, and how far its hours are counted. Times in milliseconds since 1970. */
export interface CountingRow {
  organization_id: string;
  clock_offset_ms: number;
  now_ms: number;
  /** Until when its hours are counted; null when none is. */
  counted_until_ms: number | null;
  /** When its first session began; null when none did, or when its hours are counted already. */
  first_ms: number | null;
  /** Whether there is anything to count since then. */
  is_busy: boolean;
}

/** A portion of all organizations in the order of their ids. $1 the last one of the portion before, $2 how many. */
export const LIST_COUNTING: Statement<CountingRow> = {
  name: 'list_seat_counting',
  text: `select o.id as organization_id, o.clock_offset_ms, ${milliseconds(wallTime('o.clock_offset_ms'))} as now_ms,
      ${milliseconds('k.counted_until')} as counted_until_ms,
      case when k.counted_until is null then ${milliseconds(`(select least(
        (select e.started_at from seat_sessions e where e.organization_id = o.id order by e.started_at limit 1),
        (select min(s.started_at) from seat_slots s where s.organization_id = o.id and s.session_id is not null)))`)}
        end as first_ms,
      exists (select from seat_sessions e where e.organization_id = o.id and e.ended_at > k.counted_until)
        or exists (select from seat_slots s where s.organization_id = o.id and s.session_id is not null) as is_busy
    from organizations o left join usage_seat_marks k on k.organization_id = o.id
    where o.id > $1 and o.deleted_at is null order by o.id limit $2`,
};

/**
 * Counts whole hours, and moves the mark in the same statement: of two that do so at once one finds it moved and writes
 * nothing. Nothing happens either while a session is past its timeout and not tidied up: how it ends is not settled.
 * $1 organization, $2 clock offset, $3 start of the first hour, $4 end of the last (ms), $5 whether there is a mark yet.
 */
export const COUNT_HOURS: Statement<{ organization_id: string }> = {
  name: 'count_seat_hours',
  text: `with ${HELD_SINCE}, moved as (
      insert into usage_seat_marks as k (organization_id, counted_until)
      select $1::text, ${timeOf('$4')} where not exists (select from running where is_over)
      on conflict (organization_id) do update set counted_until = excluded.counted_until
        where $5::boolean and k.counted_until = ${timeOf('$3')}
      returning k.organization_id
    ), changes as (
      select greatest(started_at, ${timeOf('$3')}) as at, 1 as seats from held
      union all
      select ended_at, -1 from held
      union all
      select hour, 0 from generate_series(${timeOf('$3')}, ${timeOf('$4')} - ${HOUR}, ${HOUR}) hour
    ), moments as (
      select at, sum(seats) as seats from changes where at < ${timeOf('$4')} group by at
    ), levels as (
      select at, date_trunc('hour', at, 'UTC') as hour, sum(seats) over (order by at) as active from moments
    ), counted as (
      insert into usage_seat_hours (organization_id, hour, active_at_start, peak)
      select moved.organization_id, hour, max(active) filter (where at = hour), max(active)
      from levels, moved group by moved.organization_id, hour having max(active) > 0
      on conflict (organization_id, hour) do nothing
    )
    select organization_id from moved`,
};
