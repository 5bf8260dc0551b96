import { type Statement, serviceTime, wallTime } from '../../database/index.ts';
import { namesProject } from './names-project.ts';

/** What a project uses now and used this month, on its organization's clock. Times in milliseconds since 1970. */
export interface ProjectUsageRow {
  period_start_ms: number;
  period_end_ms: number;
  /** Sessions that hold a seat and are not past their timeout. */
  active: number;
  /** Sessions that ended in the period, and the whole seconds that they lasted. */
  ended: number;
  seat_seconds: number;
}

const milliseconds = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;

/**
 * $1 organization, $2 clock offset, $3 project. A session past its timeout has ended at its timeout, for this as for every
 * other reader: until someone tidies it up it is counted from its seat, and from then on from its day.
 */
export const FIND_PROJECT_USAGE: Statement<ProjectUsageRow> = {
  name: 'find_project_usage',
  text: `
    with clock as materialized (
      select c.away_ms, ${serviceTime('$2::bigint')} as service, ${wallTime('$2::bigint')} as wall from service_clock c
    ), month as materialized (
      select date_trunc('month', wall at time zone 'UTC') at time zone 'UTC' as start,
        (date_trunc('month', wall at time zone 'UTC') + interval '1 month') at time zone 'UTC' as next
      from clock
    ), held as materialized (
      select s.deadline > clock.service as is_active, s.started_at,
        least(s.deadline + clock.away_ms * interval '1 millisecond', clock.wall)::timestamptz(3) as ended_at
      from seat_slots s cross join clock
      where s.organization_id = $1 and s.metadata ->> 'project_id' = $3 and ${namesProject('s.metadata')}
    ), live as (
      select count(*) filter (where is_active) as active, count(*) filter (where ended_at >= month.start) as over,
        coalesce(sum(round(extract(epoch from ended_at - started_at))) filter (where ended_at >= month.start), 0) as seconds
      from (select started_at, is_active, case when not is_active then ended_at end as ended_at from held) h
      cross join month
    ), counted as (
      select coalesce(sum(d.sessions), 0) as sessions, coalesce(sum(d.seat_seconds), 0) as seconds
      from month join project_usage_days d
        on d.organization_id = $1 and d.project_id = $3 and d.day >= month.start and d.day < month.next
    )
    select ${milliseconds('month.start')} as period_start_ms, ${milliseconds('month.next')} as period_end_ms,
      live.active, (counted.sessions + live.over)::bigint as ended, (counted.seconds + live.seconds)::bigint as seat_seconds
    from month cross join live cross join counted`,
};

/**
 * Adds to the days of projects. $1 organization, then arrays, one element for each project and day: $2 projects, $3 starts
 * of the days (ms), $4 sessions, $5 seconds. Always in the same order, so that two batches wait for each other but never
 * both ways.
 */
export const ADD_PROJECT_USAGE: Statement<never> = {
  name: 'add_project_usage',
  text: `
    insert into project_usage_days (organization_id, project_id, day, sessions, seat_seconds)
    select $1::text, u.project_id, to_timestamp(u.day_ms / 1000), u.sessions, u.seat_seconds
    from unnest($2::text[], $3::float8[], $4::bigint[], $5::bigint[]) as u (project_id, day_ms, sessions, seat_seconds)
    order by u.project_id, u.day_ms
    on conflict (organization_id, project_id, day) do update set
      sessions = project_usage_days.sessions + excluded.sessions,
      seat_seconds = project_usage_days.seat_seconds + excluded.seat_seconds`,
};
