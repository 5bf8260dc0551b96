import { anyRow, arrays, defineDueCheck, many, serviceTime, statement, wallTime } from '../../database/index.ts';

/**
 * SQL: whether the line of `n` and `l` needs work: a wait is due, a seat must be reserved, or the license has ended.
 */
const isDue = (offset: string) => `(n.waiting > 0 and (l.state <> 'active' or l.expires_at <= ${wallTime(offset)}
      or exists (select from seat_waits w where w.organization_id = n.organization_id and w.license_id = n.license_id
        and w.ended_at is null and w.due_at <= ${serviceTime(offset)})
      or least(n.waiting, greatest(0, l.max_seats - n.taken + (
        select count(*) from seat_slots s where s.organization_id = n.organization_id and s.license_id = n.license_id
          and s.reap_at > '-infinity' and s.reap_at <= ${serviceTime(offset)} and s.deadline <= ${serviceTime(offset)})))
        <> (select count(*) from seat_waits w where w.organization_id = n.organization_id
          and w.license_id = n.license_id and w.ended_at is null and w.is_reserved)))`;

/** A line that needs work. */
export interface DueLineRow {
  organization_id: string;
  license_id: string;
  clock_offset_ms: number;
}

/** Lines are few: only licenses with waiting machines. */
const dueLines = (filter: string) => `select n.organization_id, n.license_id, o.clock_offset_ms
    from license_seat_counts n
    join licenses l on l.organization_id = n.organization_id and l.id = n.license_id
    join organizations o on o.id = n.organization_id cross join service_clock c
    where n.waiting > 0 ${filter} and ${isDue('o.clock_offset_ms')}`;

export const linesAreDue = defineDueCheck({
  name: 'lines_are_due',
  sql: () => anyRow(dueLines('')),
});

/** Lines that need work, of all organizations or of one. */
export const listDueLines = statement({
  name: 'list_due_lines',
  parameters: { organizationId: 'text | null', limit: 'integer' },
  returns: many<DueLineRow>(),
  sql: ({ organizationId, limit }) =>
    `${dueLines(`and n.organization_id = coalesce(${organizationId}, n.organization_id)`)} limit ${limit}`,
});

/** A line in which requests of this process are waiting. */
export interface WatchedLineRow extends DueLineRow {
  changes: number;
  is_due: boolean;
}

export const listWatchedLines = statement({
  name: 'list_watched_lines',
  parameters: { watched: arrays({ organization_id: 'text', license_id: 'text' }) },
  returns: many<WatchedLineRow>(),
  sql: ({ watched }) => `
    select n.organization_id, n.license_id, o.clock_offset_ms, n.changes, ${isDue('o.clock_offset_ms')} as is_due
    from ${watched}
    join license_seat_counts n on n.organization_id = watched.organization_id and n.license_id = watched.license_id
    join licenses l on l.organization_id = n.organization_id and l.id = n.license_id
    join organizations o on o.id = n.organization_id cross join service_clock c`,
});
