import { many, milliseconds, one, serviceTime, statement, wallTime } from '../../database/index.ts';

/*
 * A session occupies its seat from its start until before its end. One past its timeout does so until the timeout,
 * ended or not, as for all other readers. Ends and starts at the same instant are combined, so that a seat that is
 * passed on is not counted twice.
 */

const WINDOW = {
  organizationId: 'text',
  clockOffsetMs: 'bigint',
  licenseId: 'text',
  from: 'instant',
  until: 'instant',
} as const;

/** SQL: the sessions that hold a seat of a license, each with its end, which is `infinity` while it is alive. */
const running = (organizationId: string, clockOffsetMs: string, licenseId: string) => `
      select s.started_at, case when s.deadline <= ${serviceTime(clockOffsetMs)}
          then least(s.deadline + c.away_ms * interval '1 millisecond', ${wallTime(clockOffsetMs)})::timestamptz(3)
          else 'infinity' end as ended_at
      from service_clock c, seat_slots s
      where s.organization_id = ${organizationId} and s.license_id = ${licenseId} and s.reap_at > '-infinity'`;

/**
 * How many sessions began before a time and lasted until then, of those that hold a seat and of those that ended
 * recently: in one snapshot, because sessions end in the meantime.
 */
export const countActiveAt = statement({
  name: 'count_active_sessions_at',
  parameters: {
    organizationId: 'text',
    clockOffsetMs: 'bigint',
    licenseId: 'text',
    at: 'instant',
    endedSince: 'instant',
  },
  returns: one<{ sessions: number }>(),
  sql: ({ organizationId, clockOffsetMs, licenseId, at, endedSince }) => `
    select ((
        select count(*) from (${running(organizationId, clockOffsetMs, licenseId)}) r
        where r.started_at < ${at} and r.ended_at >= ${at}
      ) + (
        select count(*) from seat_sessions
        where organization_id = ${organizationId} and ended_at >= ${endedSince} and license_id = ${licenseId}
          and started_at < ${at}
      ))::integer as sessions`,
});

/** How many sessions that began before a time ended in a window. */
export const countEnded = statement({
  name: 'count_ended_sessions_of',
  parameters: { organizationId: 'text', licenseId: 'text', at: 'instant', from: 'instant', until: 'instant' },
  returns: one<{ sessions: number }>(),
  sql: ({ organizationId, licenseId, at, from, until }) => `
    select count(*)::integer as sessions from seat_sessions
    where organization_id = ${organizationId} and ended_at >= ${from} and ended_at < ${until} and license_id = ${licenseId}
      and started_at < ${at}`,
});

/** How many sessions of the history, and waits, began in a window, counted up to a limit. */
export const countBegun = statement({
  name: 'count_sessions_begun',
  parameters: { organizationId: 'text', licenseId: 'text', from: 'instant', until: 'instant', limit: 'integer' },
  returns: one<{ sessions: number }>(),
  sql: ({ organizationId, licenseId, from, until, limit }) => `
    select count(*)::integer as sessions from (
      select 1 from seat_sessions where organization_id = ${organizationId} and license_id = ${licenseId}
        and started_at >= ${from} and started_at < ${until}
      union all
      select 1 from seat_waits where organization_id = ${organizationId} and license_id = ${licenseId}
        and joined_at >= ${from} and joined_at < ${until}
      limit ${limit}
    ) begun`,
});

/** A minute in which sessions began or ended. */
export interface ActivityRow {
  minute_ms: number;
  /**
   * The maximum active at one moment, and the change by the end of the minute, both relative to the start of the
   * window.
   */
  peak: number;
  left_at_end: number;
}

/** SQL: the activity by minute, from `changes` with a time, `at`, and a number of `seats`. */
export function levels(): string {
  return `moments as (
      select at, sum(seats) as seats from (
        select at, seats from changes
        union all
        -- What is active when a minute begins counts for it, too.
        select distinct date_trunc('minute', at), 0 from changes
      ) marked group by at
    ), levels as (
      select at, sum(seats) over (order by at) as level from moments
    )
    select ${milliseconds("date_trunc('minute', at)")} as minute_ms, max(level)::integer as peak,
      (array_agg(level order by at desc))[1]::integer as left_at_end
    from levels group by 1`;
}

/** The minutes of a window in which sessions began or ended. */
export const listActivity = statement({
  name: 'list_seat_activity',
  parameters: WINDOW,
  returns: many<ActivityRow>(),
  sql: ({ organizationId, clockOffsetMs, licenseId, from, until }) => `
    with running as materialized (${running(organizationId, clockOffsetMs, licenseId)}
    ), changes as materialized (
      select started_at as at, 1 as seats from seat_sessions
      where organization_id = ${organizationId} and license_id = ${licenseId} and started_at >= ${from}
        and started_at < ${until} and ended_at > started_at
      union all
      select ended_at, -1 from seat_sessions
      where organization_id = ${organizationId} and ended_at >= ${from} and ended_at < ${until}
        and license_id = ${licenseId} and ended_at > started_at
      union all
      select started_at, 1 from running where started_at >= ${from} and started_at < ${until} and ended_at > started_at
      union all
      select ended_at, -1 from running where ended_at >= ${from} and ended_at < ${until} and ended_at > started_at
    ), ${levels()}`,
});

/** A minute in which acquires were refused. */
export interface RefusedMinuteRow {
  minute_ms: number;
  /** Refused acquires. */
  refused: number;
  /** Their users and machines. */
  machines: number;
}

/** The minutes of a window in which acquires were refused. */
export const listRefusedMinutes = statement({
  name: 'list_refused_minutes',
  parameters: { organizationId: 'text', licenseId: 'text', from: 'instant', until: 'instant' },
  returns: many<RefusedMinuteRow>(),
  sql: ({ organizationId, licenseId, from, until }) => `
    select minute_ms, sum(refused)::float8 as refused, count(*)::integer as machines
    from (
      select ${milliseconds("date_trunc('minute', last_at)")} as minute_ms, sum(count) as refused from seat_refusals
      where organization_id = ${organizationId} and license_id = ${licenseId} and last_at >= ${from} and last_at < ${until}
      group by 1, user_id, hardware_id
    ) machine group by 1`,
});
