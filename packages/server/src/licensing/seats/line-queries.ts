import { arrays, count, many, maybeOne, milliseconds, statement, wallTime } from '../../database/index.ts';

/** The statements of the waiting list. Those that write run under the licenses' locks and count their changes. */

const timeOf = (parameter: string) => `to_timestamp(${parameter} / 1000)`;

/** How long a free seat is reserved for the head of the line. */
const RESERVED_SECONDS = 30;

/** One of the machines in the request, its place in line, and how many machines wait in total. */
export interface LineRow {
  license_id: string;
  waiting: number;
  /** Null if none of the machines in the request is waiting. */
  id: string | null;
  user_id: string;
  hardware_id: string;
  rank: number;
  is_reserved: boolean;
  /** In service time. */
  deadline_ms: number;
}

/**
 * Updates lines: ends the waits that are due, or all of a line that has a reason to end; reserves open seats for the
 * head of the line, for 30 s each; and withdraws reservations if the license has lost seats.
 */
export const updateLines = statement({
  name: 'update_lines',
  parameters: {
    organizationId: 'text',
    serviceMs: 'float8',
    wallMs: 'float8',
    awayMs: 'bigint',
    lines: arrays({ license_id: 'text', open_seats: 'integer', reason: 'text | null' }),
    asked: arrays({ user_id: 'text', hardware_id: 'text' }),
  },
  returns: many<LineRow>(),
  sql: ({ organizationId, serviceMs, wallMs, awayMs, lines, asked }) => `
    with given as materialized (select * from ${lines}), asked as materialized (
      select distinct user_id, hardware_id from ${asked}
    ), live as materialized (
      select w.license_id, w.id, w.place, w.is_reserved, w.due_at, w.deadline, w.user_id, w.hardware_id, g.open_seats,
        g.reason, g.reason is not null or w.due_at <= ${timeOf(serviceMs)} as is_over
      from given g join seat_waits w
        on w.organization_id = ${organizationId} and w.license_id = g.license_id and w.ended_at is null
    ), line as materialized (
      select *, row_number() over (partition by license_id order by place)::integer as rank from live where not is_over
    ), ended as (
      update seat_waits w set status = case when l.reason is null then 'expired' else 'canceled' end, reason = l.reason,
        ended_at = case when l.reason is null
          then least(l.due_at + ${awayMs} * interval '1 millisecond', ${timeOf(wallMs)}) else ${timeOf(wallMs)} end,
        metadata = null, touched = n.changes + 1
      from live l join license_seat_counts n on n.organization_id = ${organizationId} and n.license_id = l.license_id
      where l.is_over and w.organization_id = ${organizationId} and w.id = l.id
      returning w.license_id
    ), moved as (
      update seat_waits w set is_reserved = l.rank <= l.open_seats, touched = n.changes + 1,
        due_at = case when l.rank <= l.open_seats then ${timeOf(serviceMs)} + interval '${RESERVED_SECONDS} seconds'
          else w.deadline end
      from line l join license_seat_counts n on n.organization_id = ${organizationId} and n.license_id = l.license_id
      where l.is_reserved <> (l.rank <= l.open_seats) and w.organization_id = ${organizationId} and w.id = l.id
      returning w.license_id
    ), counted as (
      update license_seat_counts n set changes = n.changes + 1,
        waiting = (select count(*) from line l where l.license_id = n.license_id)
      where n.organization_id = ${organizationId}
        and n.license_id in (select license_id from ended union select license_id from moved)
    )
    select g.license_id, (select count(*)::integer from line l where l.license_id = g.license_id) as waiting, w.id,
      w.user_id, w.hardware_id, w.rank, w.rank <= w.open_seats as is_reserved, ${milliseconds('w.deadline')} as deadline_ms
    from given g left join (
      select l.* from line l join asked a on a.user_id = l.user_id and a.hardware_id = l.hardware_id
    ) w on w.license_id = g.license_id`,
});

/** Adds machines to the end of the line, in the given order. */
export const insertWaits = statement({
  name: 'insert_waits',
  parameters: {
    organizationId: 'text',
    wallMs: 'float8',
    waits: arrays({
      id: 'text',
      license_id: 'text',
      user_id: 'text',
      hardware_id: 'text',
      metadata: 'jsonb | null',
      offline_seconds: 'integer | null',
      deadline_ms: 'float8',
      rank: 'integer',
    }),
  },
  sql: ({ organizationId, wallMs, waits }) => `
    with joining as materialized (select * from ${waits} order by rank), counted as (
      update license_seat_counts n set waiting = n.waiting + j.machines, changes = n.changes + 1
      from (select license_id, count(*)::integer as machines from joining group by license_id) j
      where n.organization_id = ${organizationId} and n.license_id = j.license_id
      returning n.license_id, n.changes
    )
    insert into seat_waits (organization_id, id, license_id, user_id, hardware_id, metadata, offline_seconds, joined_at,
      deadline, due_at, touched, status)
    select ${organizationId}, j.id, j.license_id, j.user_id, j.hardware_id, j.metadata, j.offline_seconds,
      ${timeOf(wallMs)}, ${timeOf('j.deadline_ms')}, ${timeOf('j.deadline_ms')}, c.changes, 'waiting'
    from joining j join counted c on c.license_id = j.license_id order by j.rank`,
});

/** Ends the waits of machines that got a seat. Returns how many. */
export const updateWaitsGranted = statement({
  name: 'update_waits_granted',
  parameters: {
    organizationId: 'text',
    wallMs: 'float8',
    grants: arrays({ wait_id: 'text', license_id: 'text', session_id: 'text' }),
  },
  returns: count(),
  sql: ({ organizationId, wallMs, grants }) => `
    with granted as materialized (select * from ${grants}), counted as (
      update license_seat_counts n set waiting = n.waiting - g.machines, changes = n.changes + 1
      from (select license_id, count(*)::integer as machines from granted group by license_id) g
      where n.organization_id = ${organizationId} and n.license_id = g.license_id
      returning n.license_id, n.changes
    )
    update seat_waits w set status = 'granted', session_id = g.session_id, ended_at = ${timeOf(wallMs)}, metadata = null,
      touched = c.changes
    from granted g join counted c on c.license_id = g.license_id
    where w.organization_id = ${organizationId} and w.id = g.wait_id and w.ended_at is null`,
});

/** A wait as shown to its owner. */
export interface WaitRow {
  id: string;
  license_id: string;
  license_key: string;
  hardware_id: string;
  metadata: unknown;
  offline_seconds: number | null;
  status: 'waiting' | 'granted' | 'expired' | 'canceled';
  reason: string | null;
  session_id: string | null;
}

export const findWait = statement({
  name: 'find_wait',
  parameters: { organizationId: 'text', id: 'text', userId: 'text' },
  returns: maybeOne<WaitRow>(),
  sql: ({ organizationId, id, userId }) => `
    select w.id, w.license_id, l.key as license_key, w.hardware_id, w.metadata, w.offline_seconds, w.status, w.reason,
      w.session_id
    from seat_waits w join licenses l on l.organization_id = w.organization_id and l.id = w.license_id
    where w.organization_id = ${organizationId} and w.id = ${id} and w.user_id = ${userId}`,
});

/** Locks the licenses that a user or an activated machine is waiting for, always in the same order. */
export const lockAwaitedLicenses = statement({
  name: 'lock_awaited_licenses',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: many<{ license_id: string }>(),
  sql: ({ organizationId, userId }) => `select license_id from license_seat_counts
    where organization_id = ${organizationId} and license_id in (
      select license_id from seat_waits
      where organization_id = ${organizationId} and user_id = ${userId} and ended_at is null)
    order by license_id for update`,
});

/** Locks the licenses of an organization that have a waiting list. */
export const lockAllAwaitedLicenses = statement({
  name: 'lock_all_awaited_licenses',
  parameters: { organizationId: 'text' },
  returns: many<{ license_id: string }>(),
  sql: ({ organizationId }) => `select license_id from license_seat_counts
    where organization_id = ${organizationId} and waiting > 0 order by license_id for update`,
});

/** Cancels one wait, those of a user, or all, under the locks of their licenses. Returns how many. */
export const updateWaitsCanceled = statement({
  name: 'update_waits_canceled',
  parameters: {
    organizationId: 'text',
    clockOffsetMs: 'bigint',
    id: 'text | null',
    userId: 'text | null',
    licenseIds: 'text[]',
    reason: 'text',
  },
  returns: count(),
  sql: ({ organizationId, clockOffsetMs, id, userId, licenseIds, reason }) => `
    with leaving as materialized (
      select w.id, w.license_id from seat_waits w
      where w.organization_id = ${organizationId} and w.license_id = any(${licenseIds}) and w.ended_at is null
        and w.id = coalesce(${id}, w.id) and w.user_id = coalesce(${userId}, w.user_id)
    ), counted as (
      update license_seat_counts n set waiting = n.waiting - l.machines, changes = n.changes + 1
      from (select license_id, count(*)::integer as machines from leaving group by license_id) l
      where n.organization_id = ${organizationId} and n.license_id = l.license_id
      returning n.license_id, n.changes
    )
    update seat_waits w set status = 'canceled', reason = ${reason}, ended_at = ${wallTime(clockOffsetMs)}, metadata = null,
      touched = c.changes
    from leaving l join counted c on c.license_id = l.license_id
    where w.organization_id = ${organizationId} and w.id = l.id`,
});

/** The waits of a line that have ended, or got a reserved seat, since the license had this many changes. */
export const listTouchedWaits = statement({
  name: 'list_touched_waits',
  parameters: { organizationId: 'text', licenseId: 'text', changes: 'bigint' },
  returns: many<{ id: string }>(),
  sql: ({ organizationId, licenseId, changes }) => `
    select id from seat_waits
    where organization_id = ${organizationId} and license_id = ${licenseId} and touched > ${changes}
      and (is_reserved or ended_at is not null)`,
});

/** Deletes the oldest waits that ended before this time. Returns how many. */
export const deleteOldWaits = statement({
  name: 'delete_old_seat_waits',
  parameters: { organizationId: 'text', before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, before, limit }) => `
    delete from seat_waits where organization_id = ${organizationId} and id = any(array(
      select id from seat_waits where organization_id = ${organizationId} and ended_at < ${before}
      order by ended_at limit ${limit}
    ))`,
});

/** When a wait of an organization is next due, on the organization's clock. */
export const findNextWaitDue = statement({
  name: 'find_next_wait_due',
  parameters: { organizationId: 'text' },
  returns: maybeOne<{ due_ms: number | null }>(),
  sql: ({ organizationId }) => `
    select ceil(extract(epoch from min(w.due_at)) * 1000)::float8 + (select away_ms from service_clock) as due_ms
    from license_seat_counts n
    cross join lateral (
      select due_at from seat_waits
      where organization_id = n.organization_id and license_id = n.license_id and ended_at is null
      order by due_at limit 1
    ) w
    where n.organization_id = ${organizationId} and n.waiting > 0`,
});
