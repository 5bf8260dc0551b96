import { milliseconds, one, recordset, serviceTime, statement, wallTime } from '../../database/index.ts';
import { namesProject } from './project-rules.ts';

/**
 * The current usage of a project, and its usage this month, on its organization's clock. Times in milliseconds since
 * 1970.
 */
export interface ProjectUsageRow {
  period_start_ms: number;
  period_end_ms: number;
  /** Sessions that hold a seat and are not past their timeout. */
  active: number;
  /** Sessions that ended in the period, and how many whole seconds they lasted. */
  ended: number;
  seat_seconds: number;
}

/**
 * A session past its timeout ended at its timeout, for this statement as for every other reader. It is counted from its
 * seat until the reaper releases that, and then from its day.
 */
export const findProjectUsage = statement({
  name: 'find_project_usage',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', projectId: 'text' },
  returns: one<ProjectUsageRow>(),
  sql: ({ organizationId, clockOffsetMs, projectId }) => `
    with clock as materialized (
      select c.away_ms, ${serviceTime(clockOffsetMs)} as service, ${wallTime(clockOffsetMs)} as wall from service_clock c
    ), month as materialized (
      select date_trunc('month', wall at time zone 'UTC') at time zone 'UTC' as start,
        (date_trunc('month', wall at time zone 'UTC') + interval '1 month') at time zone 'UTC' as next
      from clock
    ), held as materialized (
      select s.deadline > clock.service as is_active, s.started_at,
        least(s.deadline + clock.away_ms * interval '1 millisecond', clock.wall)::timestamptz(3) as ended_at
      from seat_slots s cross join clock
      where s.organization_id = ${organizationId} and s.metadata ->> 'project_id' = ${projectId} and ${namesProject('s.metadata')}
    ), live as (
      select count(*) filter (where is_active) as active, count(*) filter (where ended_at >= month.start) as over,
        coalesce(sum(round(extract(epoch from ended_at - started_at))) filter (where ended_at >= month.start), 0) as seconds
      from (select started_at, is_active, case when not is_active then ended_at end as ended_at from held) h
      cross join month
    ), counted as (
      select coalesce(sum(d.sessions), 0) as sessions, coalesce(sum(d.seat_seconds), 0) as seconds
      from month join project_usage_days d
        on d.organization_id = ${organizationId} and d.project_id = ${projectId} and d.day >= month.start and d.day < month.next
    )
    select ${milliseconds('month.start')} as period_start_ms, ${milliseconds('month.next')} as period_end_ms,
      live.active, (counted.sessions + live.over)::bigint as ended, (counted.seconds + live.seconds)::bigint as seat_seconds
    from month cross join live cross join counted`,
});

/**
 * Adds to the days of projects, always in the same order, so that two batches may wait for each other but never
 * deadlock.
 */
export const upsertProjectDays = statement({
  name: 'upsert_project_days',
  parameters: {
    organizationId: 'text',
    days: recordset({ project_id: 'text', day_ms: 'float8', sessions: 'bigint', seat_seconds: 'bigint' }),
  },
  sql: ({ organizationId, days }) => `
    insert into project_usage_days (organization_id, project_id, day, sessions, seat_seconds)
    select ${organizationId}, days.project_id, to_timestamp(days.day_ms / 1000), days.sessions, days.seat_seconds
    from ${days} order by days.project_id, days.day_ms
    on conflict (organization_id, project_id, day) do update set
      sessions = project_usage_days.sessions + excluded.sessions,
      seat_seconds = project_usage_days.seat_seconds + excluded.seat_seconds`,
});
