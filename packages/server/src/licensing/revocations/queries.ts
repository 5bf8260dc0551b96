import { arrays, count, many, statement } from '../../database/index.ts';

/** Lists sessions whose tokens have not expired, in the transaction that releases them. Token times are real. */
export const insertSessionRevocations = statement({
  name: 'insert_session_revocations',
  parameters: {
    organizationId: 'text',
    at: 'instant',
    sessions: arrays({ session_id: 'text', token_expires_ms: 'float8' }),
  },
  sql: ({ organizationId, at, sessions }) => `
    insert into license_revocations (organization_id, id, cause, revoked_at, expires_at)
    select ${organizationId}, sessions.session_id, 'released', ${at}, to_timestamp(sessions.token_expires_ms / 1000)
    from ${sessions} on conflict do nothing`,
});

/**
 * SQL: lists licenses until the tokens of their seats have expired, and for at least a day, for tokens being issued
 * right now.
 */
function insertUntilTokensExpire(cause: 'license' | 'organization', condition: string): string {
  return `
    with started as materialized (select clock_timestamp() as t)
    insert into license_revocations (organization_id, id, cause, revoked_at, expires_at)
    select l.organization_id, l.id, '${cause}', started.t, greatest(started.t + interval '1 day', (
        select max(s.token_expires_at) from seat_slots s
        where s.organization_id = l.organization_id and s.license_id = l.id and s.reap_at > '-infinity'))
    from licenses l cross join started where ${condition}
    on conflict (organization_id, id, cause) do update set
      revoked_at = excluded.revoked_at, expires_at = greatest(license_revocations.expires_at, excluded.expires_at)`;
}

/** Lists a license that was suspended or revoked. */
export const insertLicenseRevocation = statement({
  name: 'insert_license_revocation',
  parameters: { organizationId: 'text', licenseId: 'text' },
  sql: ({ organizationId, licenseId }) =>
    insertUntilTokensExpire('license', `l.organization_id = ${organizationId} and l.id = ${licenseId}`),
});

/** Lists all licenses of an organization that was suspended. */
export const insertOrganizationRevocations = statement({
  name: 'insert_organization_revocations',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) => insertUntilTokensExpire('organization', `l.organization_id = ${organizationId}`),
});

/** Removes a license that is in force again from the list. */
export const deleteLicenseRevocation = statement({
  name: 'delete_license_revocation',
  parameters: { organizationId: 'text', licenseId: 'text' },
  sql: ({ organizationId, licenseId }) => `
    delete from license_revocations
    where organization_id = ${organizationId} and id = ${licenseId} and cause = 'license'`,
});

/** The same for the licenses of an organization; individually suspended ones stay. */
export const deleteOrganizationRevocations = statement({
  name: 'delete_organization_revocations',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) =>
    `delete from license_revocations where organization_id = ${organizationId} and cause = 'organization'`,
});

/** All revocations whose tokens would otherwise still be valid. */
export const listRevocations = statement({
  name: 'list_revocations',
  parameters: { now: 'instant' },
  returns: many<{ id: string }>(),
  sql: ({ now }) => `select distinct id from license_revocations where expires_at > ${now} order by id`,
});

/** Deletes revocations that are no longer listed, oldest first; counts them. */
export const deleteOldRevocations = statement({
  name: 'delete_old_revocations',
  parameters: { now: 'instant', limit: 'integer' },
  returns: count(),
  sql: ({ now, limit }) => `
    with old as materialized (
      select organization_id, id, cause from license_revocations
      where expires_at <= ${now} order by expires_at limit ${limit}
    )
    delete from license_revocations r using old
    where r.organization_id = old.organization_id and r.id = old.id and r.cause = old.cause`,
});
