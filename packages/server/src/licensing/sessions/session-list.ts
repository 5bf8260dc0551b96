import { isoTime } from '../../clock/index.ts';
import { many, milliseconds, serviceTime } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { namesProject } from '../project-usage/project-rules.ts';
import { programColumns, type SessionRow } from './queries.ts';

/**
 * All sessions of a license, active and ended. Those that hold a seat are sorted in memory, because there are no more
 * of them than seats; ended ones are read by an index. A session past its timeout counts as timed out, even if the
 * reaper has not released its seat yet. Filters, order and limit go into both halves, so that neither returns more than
 * a page.
 */
export const SESSION_LIST = defineList({
  name: 'list_sessions',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', licenseId: 'text' },
  returns: many<SessionRow>(),
  defaultSort: '-started_at',
  sorts: {
    started_at: sortBy.time('started_at', (row: SessionRow) => isoTime(row.started_at_ms)),
    last_heartbeat: sortBy.time('last_heartbeat', (row: SessionRow) => isoTime(row.last_heartbeat_ms)),
  },
  filters: {
    status: filterBy.cases({
      // Ended sessions are never active, and searching for one would read the whole history.
      active: "holds_seat and status = 'active'",
      released: "status = 'released'",
      timed_out: "status = 'timed_out'",
    }),
    user_id: filterBy.text('user_id'),
    hardware_id: filterBy.text('hardware_id'),
    project_id: {
      kind: 'text',
      type: 'text',
      condition: (id) => `metadata ->> 'project_id' = ${id} and ${namesProject('metadata')}`,
    },
    started_after: filterBy.after('started_at'),
  },
  id: 'session_id',
  sql: ({ organizationId, clockOffsetMs, licenseId }, { page, ordered }) => `
    select session_id, license_id, user_id, hardware_id, metadata, status, ${milliseconds('started_at')} as started_at_ms,
      ${milliseconds('last_heartbeat')} as last_heartbeat_ms, ${milliseconds('ended_at')} as ended_at_ms, released_by,
      ${milliseconds('offline_until')} as offline_until_ms,
      ${programColumns('metadata')}
    from (
      select * from (
        select * from (
          select s.session_id, s.license_id, s.user_id, s.hardware_id, s.metadata, s.started_at, s.last_heartbeat,
            case when s.deadline <= ${serviceTime(clockOffsetMs)} then s.deadline + c.away_ms * interval '1 millisecond' end
              as ended_at,
            case when s.deadline <= ${serviceTime(clockOffsetMs)} then 'timed_out' else 'active' end as status,
            null::text as released_by, s.offline_until, true as holds_seat
          from seat_slots s cross join service_clock c
          where s.organization_id = ${organizationId} and s.license_id = ${licenseId} and s.reap_at > '-infinity'
        ) held where ${page}
      ) held_page
      union all
      select * from (
        select * from (
          select id as session_id, license_id, user_id, hardware_id, metadata, started_at, last_heartbeat, ended_at,
            status, released_by, offline_until, false as holds_seat
          from seat_sessions where organization_id = ${organizationId} and license_id = ${licenseId}
        ) ended where ${page}
      ) ended_page
    ) each_session ${ordered}`,
});
