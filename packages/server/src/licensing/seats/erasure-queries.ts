import {
  isSameKey,
  keysIn,
  type OrganizationTable,
  type PersonErasure,
  type Queries,
  type Statement,
} from '../../database/index.ts';

/** What this room keeps of a person: the metadata of programs. The machine's identifier is the program's own and stays. */
export const LICENSING_ERASURES: readonly PersonErasure[] = [
  {
    table: 'seat_sessions',
    erase: async (database, { userId }, limit) =>
      (await database.query(ERASE_SESSION_METADATA, [userId, limit])).length,
  },
];

/** What this room keeps of an organization, with referring rows before the rows they refer to. */
export const LICENSING_TABLES: readonly OrganizationTable[] = [
  { table: 'seat_sessions', key: ['id'] },
  { table: 'seat_slots', key: ['license_id', 'slot'] },
  { table: 'license_seat_counts', key: ['license_id'] },
  { table: 'licenses', key: ['id'] },
  { table: 'project_usage_days', key: ['project_id', 'day'] },
];

/** Removes the metadata of the seats that a user holds, in the transaction that deletes the account. */
export async function eraseHeldSeats(tx: Queries, organizationIds: readonly string[], userId: string): Promise<void> {
  await tx.query(ERASE_HELD_METADATA, [organizationIds, userId]);
}

/** Whether an organization has a license that has not ended. */
export async function hasLiveLicense(database: Queries, organizationId: string, at: Date): Promise<boolean> {
  return (await database.query(FIND_LIVE_LICENSE, [organizationId, at])).length > 0;
}

/** Whether a seat of an organization is held, or was taken by a session with this identifier or a later one. */
export async function hasSeatUseSince(
  database: Queries,
  organizationId: string,
  firstSessionId: string,
): Promise<boolean> {
  return (await database.query(FIND_SEAT_USE, [organizationId, firstSessionId]))[0]?.is_used === true;
}

/** The next organizations in the order of their keys, and whether they have sessions that ended before `$3`. */
export const LIST_SESSION_AGES: Statement<{ organization_id: string; is_over: boolean }> = {
  name: 'list_session_ages',
  // By the oldest of each, and not by `exists`, which the planner may answer by reading the whole table once.
  text: `select o.id as organization_id, coalesce(least((
        select ended_at from seat_sessions where organization_id = o.id order by ended_at limit 1
      ), (
        select day from project_usage_days where organization_id = o.id order by day limit 1
      )) < $3, false) as is_over
    from (select id from organizations where id > $1 order by id limit $2) o order by o.id`,
};

/** $1 organization, $2 sessions that ended before this time, $3 how many at most, the oldest first. */
export const DELETE_OLD_SESSIONS: Statement<{ id: string }> = {
  name: 'delete_old_seat_sessions',
  text: `delete from seat_sessions where organization_id = $1 and id = any(array(
      select id from seat_sessions where organization_id = $1 and ended_at < $2 order by ended_at limit $3
    )) returning id`,
};

/**
 * The same of what projects used in a day, which is made of these sessions. Compared as rows, so that the planner walks the
 * index in its order, however few rows it expects.
 */
export const DELETE_OLD_PROJECT_DAYS: Statement<{ day: Date }> = {
  name: 'delete_old_project_usage_days',
  text: `with d as materialized (
      select project_id, day from project_usage_days
      where (organization_id, day) >= ($1, '-infinity') and (organization_id, day) < ($1, $2)
      order by organization_id, day limit $3
    )
    delete from project_usage_days t using ${keysIn('d', ['project_id', 'day'])}
    where t.organization_id = $1 and ${isSameKey('t', ['project_id', 'day'])} returning t.day`,
};

/** The project id stays, because usage reports need it. */
const KEPT = `case when metadata ? 'project_id' then jsonb_build_object('project_id', metadata -> 'project_id') end`;

const ERASE_SESSION_METADATA: Statement<{ id: string }> = {
  name: 'erase_session_metadata',
  text: `with found as materialized (
      select organization_id, id from seat_sessions
      where user_id = $1 and metadata is not null and metadata - 'project_id' <> '{}'
      order by organization_id, id limit $2
    )
    update seat_sessions s set metadata = ${KEPT.replaceAll('metadata', 's.metadata')} from ${keysIn('found', ['organization_id', 'id'])}
    where s.user_id = $1 and ${isSameKey('s', ['organization_id', 'id'])} returning s.id`,
};

/** Found by license, along the index of the machines of a user. */
const ERASE_HELD_METADATA: Statement<never> = {
  name: 'erase_held_metadata',
  text: `with held as materialized (
      select s.session_id from licenses l
      join seat_slots s on s.organization_id = l.organization_id and s.license_id = l.id
        and s.user_id = $2 and s.session_id is not null
      where l.organization_id = any($1::text[]) and s.metadata is not null
    )
    update seat_slots s set metadata = ${KEPT.replaceAll('metadata', 's.metadata')}
    where s.organization_id = any($1::text[]) and s.session_id = any(array(select session_id from held))`,
};

const FIND_LIVE_LICENSE: Statement<{ id: string }> = {
  name: 'find_live_license',
  text: `select id from licenses where organization_id = $1 and state <> 'revoked' and expires_at > $2 limit 1`,
};

const FIND_SEAT_USE: Statement<{ is_used: boolean }> = {
  name: 'find_seat_use',
  text: `select exists (select from seat_slots where organization_id = $1 and session_id is not null)
    or exists (select from seat_sessions where organization_id = $1 and id >= $2) as is_used`,
};
