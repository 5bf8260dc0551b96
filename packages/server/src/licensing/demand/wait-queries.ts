import { many, one, serviceTime, statement, wallTime } from '../../database/index.ts';
import { type ActivityRow, levels } from './queries.ts';

/** Waits last an hour in service time. Only one interrupted by an outage of two days would be missed. */
const LONGEST_DAYS = 2;

/**
 * SQL: the waits of a license that began in this time, each with its end, which is `infinity` while it continues. One
 * past its deadline has ended, even if this was not processed yet.
 */
const waits = (organizationId: string, clockOffsetMs: string, licenseId: string, from: string, until: string) => `
      select w.joined_at, case when w.ended_at is not null then w.ended_at
          when w.due_at <= ${serviceTime(clockOffsetMs)}
          then least(w.due_at + c.away_ms * interval '1 millisecond', ${wallTime(clockOffsetMs)})::timestamptz(3)
          else 'infinity' end as ended_at
      from service_clock c, seat_waits w
      where w.organization_id = ${organizationId} and w.license_id = ${licenseId}
        and w.joined_at >= ${from} - interval '${LONGEST_DAYS} days' and w.joined_at < ${until}`;

/** How many machines had joined the line before a time and were in it then. */
export const countWaitingAt = statement({
  name: 'count_waiting_at',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', licenseId: 'text', at: 'instant' },
  returns: one<{ waiting: number }>(),
  sql: ({ organizationId, clockOffsetMs, licenseId, at }) => `
    select count(*)::integer as waiting from (${waits(organizationId, clockOffsetMs, licenseId, at, at)}) w
    where w.ended_at >= ${at}`,
});

/** The minutes of a window in which machines joined the line or left it. */
export const listWaitActivity = statement({
  name: 'list_wait_activity',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', licenseId: 'text', from: 'instant', until: 'instant' },
  returns: many<ActivityRow>(),
  sql: ({ organizationId, clockOffsetMs, licenseId, from, until }) => `
    with waits as materialized (${waits(organizationId, clockOffsetMs, licenseId, from, until)}
    ), changes as materialized (
      select joined_at as at, 1 as seats from waits where joined_at >= ${from} and ended_at > joined_at
      union all
      select ended_at, -1 from waits where ended_at >= ${from} and ended_at < ${until} and ended_at > joined_at
    ), ${levels()}`,
});
