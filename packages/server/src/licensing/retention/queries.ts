import {
  count,
  defineOrganizationTable,
  isSameKey,
  keysIn,
  many,
  maybeOne,
  type OrganizationTable,
  one,
  type PersonErasure,
  type Queries,
  statement,
} from '../../database/index.ts';

/** What this room stores about a person: the metadata of programs. The hardware ID belongs to the program and stays. */
export const LICENSING_ERASURES: readonly PersonErasure[] = [
  {
    table: 'seat_sessions',
    erase: (database, { userId }, limit) => eraseSessionMetadata(database, { userId, limit }),
  },
];

/** What this room stores about an organization, referring rows before the rows they refer to. */
export const LICENSING_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'seat_sessions', key: ['id'] }),
  defineOrganizationTable({ table: 'seat_slots', key: ['license_id', 'slot'] }),
  defineOrganizationTable({ table: 'seat_waits', key: ['id'] }),
  defineOrganizationTable({ table: 'license_seat_counts', key: ['license_id'] }),
  defineOrganizationTable({ table: 'license_activations', key: ['id'] }),
  defineOrganizationTable({ table: 'license_revocations', key: ['id', 'cause'] }),
  defineOrganizationTable({ table: 'licenses', key: ['id'] }),
  defineOrganizationTable({ table: 'project_usage_days', key: ['project_id', 'day'] }),
  // After the licenses: aliases and refusals are only written while their license exists, so none can be written after
  // this.
  defineOrganizationTable({ table: 'license_key_aliases', key: ['alias'] }),
  defineOrganizationTable({ table: 'seat_refusals', key: ['id'] }),
  defineOrganizationTable({ table: 'seat_refusal_announcements', key: ['license_id', 'code'] }),
];

/** Removes the metadata of the seats held by a user, in the transaction that deletes the account. */
export async function eraseHeldSeats(tx: Queries, organizationIds: readonly string[], userId: string): Promise<void> {
  await eraseHeldMetadata(tx, { organizationIds, userId });
}

/** Whether an organization has a license that has not ended. */
export async function hasLiveLicense(database: Queries, organizationId: string, at: Date): Promise<boolean> {
  return (await findLiveLicense(database, { organizationId, at })) !== undefined;
}

/** Whether a seat of an organization is in use, or was used by this session or a later one. */
export async function hasSeatUseSince(
  database: Queries,
  organizationId: string,
  firstSessionId: string,
): Promise<boolean> {
  return (await findSeatUse(database, { organizationId, firstSessionId })).is_used;
}

/** Whether these organizations have sessions that ended before this time. */
export const listSessionAges = statement({
  name: 'list_session_ages',
  parameters: { organizationIds: 'text[]', before: 'timestamptz' },
  returns: many<{ organization_id: string; is_over: boolean }>(),
  // Uses the oldest row of each, not `exists`, for which the planner may read the whole table.
  sql: ({ organizationIds, before }) => `select o.id as organization_id, coalesce(least((
        select ended_at from seat_sessions where organization_id = o.id order by ended_at limit 1
      ), (
        select day from project_usage_days where organization_id = o.id order by day limit 1
      )) < ${before}, false) as is_over
    from unnest(${organizationIds}) as o (id)`,
});

/** Deletes the oldest sessions that ended before this time; counts them. */
export const deleteOldSessions = statement({
  name: 'delete_old_seat_sessions',
  parameters: { organizationId: 'text', before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, before, limit }) => `
    delete from seat_sessions where organization_id = ${organizationId} and id = any(array(
      select id from seat_sessions where organization_id = ${organizationId} and ended_at < ${before}
      order by ended_at limit ${limit}
    ))`,
});

/**
 * Deletes the project usage of days before this time, which was calculated from these sessions; counts the rows. It
 * compares rows, so that the planner scans the index in order, even if it expects few rows.
 */
export const deleteOldProjectDays = statement({
  name: 'delete_old_project_usage_days',
  parameters: { organizationId: 'text', before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, before, limit }) => `
    with d as materialized (
      select project_id, day from project_usage_days
      where (organization_id, day) >= (${organizationId}, '-infinity') and (organization_id, day) < (${organizationId}, ${before})
      order by organization_id, day limit ${limit}
    )
    delete from project_usage_days t using ${keysIn('d', ['project_id', 'day'])}
    where t.organization_id = ${organizationId} and ${isSameKey('t', ['project_id', 'day'])}`,
});

/** The project id stays, because usage reports need it. */
const KEPT = `case when s.metadata ? 'project_id' then jsonb_build_object('project_id', s.metadata -> 'project_id') end`;

const eraseSessionMetadata = statement({
  name: 'erase_session_metadata',
  parameters: { userId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ userId, limit }) => `
    with found as materialized (
      select organization_id, id from seat_sessions
      where user_id = ${userId} and metadata is not null and metadata - 'project_id' <> '{}'
      order by organization_id, id limit ${limit}
    )
    update seat_sessions s set metadata = ${KEPT} from ${keysIn('found', ['organization_id', 'id'])}
    where s.user_id = ${userId} and ${isSameKey('s', ['organization_id', 'id'])}`,
});

const eraseHeldMetadata = statement({
  name: 'erase_held_metadata',
  parameters: { organizationIds: 'text[]', userId: 'text' },
  // Found by license, using the index of a user's machines.
  sql: ({ organizationIds, userId }) => `
    with held as materialized (
      select s.session_id from licenses l
      join seat_slots s on s.organization_id = l.organization_id and s.license_id = l.id
        and s.user_id = ${userId} and s.session_id is not null
      where l.organization_id = any(${organizationIds}) and s.metadata is not null
    )
    update seat_slots s set metadata = ${KEPT}
    where s.organization_id = any(${organizationIds}) and s.session_id = any(array(select session_id from held))`,
});

const findLiveLicense = statement({
  name: 'find_live_license',
  parameters: { organizationId: 'text', at: 'timestamptz' },
  returns: maybeOne<{ id: string }>(),
  sql: ({ organizationId, at }) => `
    select id from licenses where organization_id = ${organizationId} and state <> 'revoked' and expires_at > ${at} limit 1`,
});

const findSeatUse = statement({
  name: 'find_seat_use',
  parameters: { organizationId: 'text', firstSessionId: 'text' },
  returns: one<{ is_used: boolean }>(),
  sql: ({ organizationId, firstSessionId }) => `
    select exists (select from seat_slots where organization_id = ${organizationId} and session_id is not null)
      or exists (select from seat_sessions where organization_id = ${organizationId} and id >= ${firstSessionId}) as is_used`,
});
