import { count, maybeOne, milliseconds, one, statement } from '../../database/index.ts';

/** Sums of hours that are closed. */
export interface ClosedHours {
  refusals: number;
  succeeded: number;
  failed: number;
  seat_peak: number;
}

/** The progress of counting hours. Times in milliseconds since 1970. */
export interface OpenHour {
  hour_ms: number;
  seats_counted_until_ms: number;
  seat_peak: number;
}

const OPEN_HOUR = `select ${milliseconds('hour')} as hour_ms, ${milliseconds('seats_counted_until')} as seats_counted_until_ms,
    seat_peak from overview_hours where not is_closed order by hour limit 1`;

/** The database's clock: the processes that count must agree on when an hour is over. */
export const findDatabaseTime = statement({
  name: 'find_database_time',
  returns: one<{ now_ms: number }>(),
  sql: () => `select ${milliseconds('clock_timestamp()')} as now_ms`,
});

/** The first hour that is not closed; undefined before the first one is counted. */
export const findOpenHour = statement({
  name: 'find_open_overview_hour',
  returns: maybeOne<OpenHour>(),
  sql: () => OPEN_HOUR,
});

/** The same, locked: one process counts it at a time. */
export const lockOpenHour = statement({
  name: 'lock_open_overview_hour',
  returns: maybeOne<OpenHour>(),
  sql: () => `${OPEN_HOUR} for update`,
});

/** Begins an hour, unless it has already begun. */
export const insertOpenHour = statement({
  name: 'insert_open_overview_hour',
  parameters: { hour: 'instant' },
  sql: ({ hour }) => `insert into overview_hours (hour, seats_counted_until) values (${hour}, ${hour})
    on conflict (hour) do nothing`,
});

/** Records the peak of a part of an hour. Counts one unless that part was counted in the meantime. */
export const updateSeatPeak = statement({
  name: 'update_overview_seat_peak',
  parameters: { hour: 'instant', from: 'instant', until: 'instant', peak: 'integer' },
  returns: count(),
  sql: ({ hour, from, until, peak }) => `update overview_hours
    set seat_peak = greatest(seat_peak, ${peak}), seats_counted_until = ${until}
    where hour = ${hour} and not is_closed and seats_counted_until = ${from}`,
});

/** Closes an hour with its figures. */
export const updateHourClosed = statement({
  name: 'close_overview_hour',
  parameters: { hour: 'instant', refusals: 'bigint', succeeded: 'bigint', failed: 'bigint' },
  sql: ({ hour, refusals, succeeded, failed }) => `update overview_hours
    set is_closed = true, refusals = ${refusals}, deliveries_succeeded = ${succeeded}, deliveries_failed = ${failed}
    where hour = ${hour} and not is_closed`,
});

/** The sums of the closed hours of a window. */
export const findClosedHours = statement({
  name: 'find_closed_overview_hours',
  parameters: { from: 'instant', until: 'instant' },
  returns: one<ClosedHours>(),
  sql: ({ from, until }) => `select coalesce(sum(refusals), 0)::float8 as refusals,
      coalesce(sum(deliveries_succeeded), 0)::float8 as succeeded, coalesce(sum(deliveries_failed), 0)::float8 as failed,
      coalesce(max(seat_peak), 0)::int as seat_peak
    from overview_hours where is_closed and hour >= ${from} and hour < ${until}`,
});

/** Records which jobs are late. */
export const upsertLateJobs = statement({
  name: 'upsert_late_jobs',
  parameters: { lateJobs: 'text[]' },
  sql: ({ lateJobs }) => `insert into overview_reports as r (id, late_jobs, reported_at)
    values ('this', ${lateJobs}, clock_timestamp())
    on conflict (id) do update set late_jobs = excluded.late_jobs, reported_at = excluded.reported_at`,
});

/** Which jobs were late at a process's last report, and when that was, in milliseconds since 1970. */
export const findLateJobs = statement({
  name: 'find_late_jobs',
  returns: maybeOne<{ late_jobs: string[]; reported_at_ms: number }>(),
  sql: () =>
    `select late_jobs, ${milliseconds('reported_at')} as reported_at_ms from overview_reports where id = 'this'`,
});
