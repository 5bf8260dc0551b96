import {
  count,
  defineOrganizationTable,
  isSameKey,
  keysIn,
  type OrganizationTable,
  one,
  type PersonErasure,
  statement,
} from '../database/index.ts';

/** What this room stores about an organization; referring rows come before the rows they refer to. */
export const OAUTH_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'oauth_grants', key: ['id'] }),
  defineOrganizationTable({ table: 'oauth_client_secrets', key: ['app_id', 'secret_hash'] }),
  defineOrganizationTable({ table: 'oauth_apps', key: ['id'] }),
];

const ARTIFACT_KEY = ['model', 'id_hash'];
const KEY = ['organization_id', 'id'];

/** Uses the index that begins with the user: without an order, PostgreSQL may scan the table from its beginning. */
const deleteArtifactsOfErasedUser = statement({
  name: 'delete_oauth_artifacts_of_user',
  parameters: { userId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ userId, limit }) => `with d as materialized (
      select model, id_hash from oauth_artifacts where user_id = ${userId} order by model limit ${limit}
    )
    delete from oauth_artifacts t using ${keysIn('d', ARTIFACT_KEY)}
    where t.user_id = ${userId} and ${isSameKey('t', ARTIFACT_KEY)}`,
});

const deleteGrantsOfErasedUser = statement({
  name: 'delete_oauth_grants_of_user',
  parameters: { userId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ userId, limit }) => `with d as materialized (
      select organization_id, id from oauth_grants where user_id = ${userId} order by organization_id, id limit ${limit}
    )
    delete from oauth_grants t using ${keysIn('d', KEY)} where t.user_id = ${userId} and ${isSameKey('t', KEY)}`,
});

const updateAppsOfErasedUser = statement({
  name: 'update_apps_left',
  parameters: { userId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ userId, limit }) => `with found as materialized (
      select organization_id, id from oauth_apps where created_by = ${userId} limit ${limit}
    )
    update oauth_apps a set created_by = null from found f
    where a.created_by = ${userId} and a.organization_id = f.organization_id and a.id = f.id`,
});

/** What this room stores about a user. */
export const OAUTH_ERASURES: readonly PersonErasure[] = [
  {
    table: 'oauth_artifacts',
    erase: (database, { userId }, limit) => deleteArtifactsOfErasedUser(database, { userId, limit }),
  },
  {
    table: 'oauth_grants',
    erase: (database, { userId }, limit) => deleteGrantsOfErasedUser(database, { userId, limit }),
  },
  {
    // The app stays with its organization, without a creator.
    table: 'oauth_apps',
    erase: (database, { userId }, limit) => updateAppsOfErasedUser(database, { userId, limit }),
  },
];

/** Deletes at most `limit` apps that were deleted before this time, with their secrets; returns how many. */
export const deleteForgottenApps = statement({
  name: 'delete_forgotten_apps',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `with d as materialized (
      select organization_id, id from oauth_apps where deleted_at < ${before}
      order by deleted_at limit ${limit} for update skip locked
    ), secrets as (
      delete from oauth_client_secrets t using ${keysIn('d', KEY)}
      where t.organization_id = k.organization_id and t.app_id = k.id
    )
    delete from oauth_apps t using ${keysIn('d', KEY)} where ${isSameKey('t', KEY)}`,
});

/** With a subquery, PostgreSQL does not plan a table scan for a value that is frequent. */
const scalar = (placeholder: string) => `(select ${placeholder})`;

/** Whether a user authorized an app or logged in at the authorization server since this time. */
export const findOauthActivityOfUser = statement({
  name: 'find_oauth_activity_of_user',
  parameters: { userId: 'text', since: 'timestamptz' },
  returns: one<{ is_active: boolean }>(),
  sql: ({ userId, since }) => `select
    exists (select from oauth_grants where user_id = ${scalar(userId)} and updated_at >= ${since})
    or exists (select from oauth_artifacts where user_id = ${scalar(userId)} and created_at >= ${since}) as is_active`,
});

/** Whether anyone authorized an app for an organization since this time. */
export const findOauthActivityInOrganization = statement({
  name: 'find_oauth_activity_in_organization',
  parameters: { organizationId: 'text', since: 'timestamptz' },
  returns: one<{ is_active: boolean }>(),
  sql: ({ organizationId, since }) => `select exists (
    select from oauth_grants where organization_id = ${scalar(organizationId)} and updated_at >= ${since}) as is_active`,
});
