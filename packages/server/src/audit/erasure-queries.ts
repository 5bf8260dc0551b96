import { count, exists, isSameKey, keysIn, many, type PersonErasure, statement } from '../database/index.ts';

/** Removes a person from the audit log: the identifier and the action stay; name, email and IP addresses go. */
export const AUDIT_ERASURES: readonly PersonErasure[] = [
  {
    table: 'audit_entries',
    erase: (database, { userId }, limit) => eraseAddressesOfActor(database, { userId, limit }),
  },
  {
    table: 'audit_entries',
    erase: (database, { userId }, limit) => eraseDetailsOfPerson(database, { userId, limit }),
  },
  {
    table: 'audit_entries',
    erase: (database, { email }, limit) => eraseDetailsByEmail(database, { email, limit }),
  },
];

/** The fields that identify a person in what the API shows of a user, a member and an invitation. */
const PERSONAL = `'{email,name,avatar_url,user_agent,client_address}'::text[]`;

/** Things that belong only to the user who created them, and may be named after them. */
const OWN = `a.target_type in ('api_token', 'login_session', 'oauth_grant')`;

const KEY = ['organization_id', 'id'];

/** Uses an index of the rows that are not erased yet. */
const eraseAddressesOfActor = statement({
  name: 'erase_audit_addresses_of_actor',
  parameters: { userId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ userId, limit }) => `with found as materialized (
      select organization_id, id from audit_entries a
      where actor_user_id = ${userId} and (client_address is not null or (${OWN} and (before is not null or after is not null)))
      order by organization_id, id limit ${limit}
    )
    update audit_entries a set client_address = null, before = case when ${OWN} then null else a.before end,
      after = case when ${OWN} then null else a.after end
    from ${keysIn('found', KEY)}
    where a.actor_user_id = ${userId} and ${isSameKey('a', KEY)}`,
});

/** For entries about the user. */
const eraseDetailsOfPerson = statement({
  name: 'erase_audit_details_of_person',
  parameters: { userId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ userId, limit }) => `with found as materialized (
      select organization_id, id from audit_entries
      where target_id = ${userId} and target_type in ('user', 'member')
        and (before ?| ${PERSONAL} or after ?| ${PERSONAL}) order by organization_id, id limit ${limit}
    )
    update audit_entries a set before = a.before - ${PERSONAL}, after = a.after - ${PERSONAL}
    from ${keysIn('found', KEY)}
    where a.target_id = ${userId} and a.target_type in ('user', 'member') and ${isSameKey('a', KEY)}`,
});

/** For entries about an email address, such as those of invitations. */
const eraseDetailsByEmail = statement({
  name: 'erase_audit_details_by_email',
  parameters: { email: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ email, limit }) => `with found as materialized (
      select organization_id, id from audit_entries
      where coalesce(after ->> 'email', before ->> 'email') is not null
        and coalesce(after ->> 'email', before ->> 'email') = ${email} order by organization_id, id limit ${limit}
    )
    update audit_entries a set before = a.before - ${PERSONAL}, after = a.after - ${PERSONAL}
    from ${keysIn('found', KEY)}
    where coalesce(a.after ->> 'email', a.before ->> 'email') = ${email} and ${isSameKey('a', KEY)}`,
});

/**
 * Removes personal data from the log of a deleted organization, at most `limit` entries at a time; returns how many
 * were changed. The identifiers of actors and targets stay.
 */
export const eraseAuditDetailsOfOrganization = statement({
  name: 'erase_audit_details_of_organization',
  parameters: { organizationId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, limit }) => `with found as materialized (
      select id from audit_entries where organization_id = ${organizationId}
        and (before is not null or after is not null or client_address is not null) order by id limit ${limit}
    )
    update audit_entries a set before = null, after = null, client_address = null from ${keysIn('found', ['id'])}
    where a.organization_id = ${organizationId} and a.id = k.id`,
});

/** Whether these organizations have entries from before this time. */
export const listAuditAges = statement({
  name: 'list_audit_ages',
  parameters: { organizationIds: 'text[]', before: 'timestamptz' },
  returns: many<{ organization_id: string; is_over: boolean }>(),
  sql: ({ organizationIds, before }) => `
    select o.id as organization_id, exists (
        select from audit_entries where organization_id = o.id and created_at < ${before}
      ) as is_over
    from unnest(${organizationIds}) as o (id)`,
});

/** Whether an organization has a log. */
export const hasAuditEntries = statement({
  name: 'has_audit_entries',
  parameters: { organizationId: 'text' },
  returns: exists(),
  sql: ({ organizationId }) => `select id from audit_entries where organization_id = ${organizationId} limit 1`,
});

/** Deletes the oldest entries from before this time; counts them. */
export const deleteOldAuditEntries = statement({
  name: 'delete_old_audit_entries',
  parameters: { organizationId: 'text', before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, before, limit }) => `
    delete from audit_entries where organization_id = ${organizationId} and id = any(array(
      select id from audit_entries where organization_id = ${organizationId} and created_at < ${before} order by created_at, id limit ${limit}
    ))`,
});
