import {
  count,
  defineOrganizationTable,
  isSameKey,
  keysIn,
  type OrganizationTable,
  one,
  type PersonErasure,
  statement,
} from '../../database/index.ts';

const deleteResetRequestsOfAddress = statement({
  name: 'delete_reset_requests_of_address',
  parameters: { email: 'text' },
  returns: count(),
  sql: ({ email }) => `delete from password_reset_requests where email = ${email}`,
});

/** What this room stores about a user; referring rows come before the rows they refer to. */
export const AUTH_ERASURES: readonly PersonErasure[] = [
  defineErasureOfUser('staff_members', ['user_id']),
  defineErasureOfUser('staff_setup_links', ['token_hash']),
  defineErasureOfUser('portal_links', ['link_hash']),
  defineErasureOfUser('refresh_tokens', ['token_hash'], 'login_session_id'),
  defineErasureOfUser('bearer_tokens', ['token_hash'], 'source_id'),
  defineErasureOfUser('login_sessions', ['user_id', 'id']),
  defineErasureOfUser('api_tokens', ['organization_id', 'id']),
  defineErasureOfUser('one_time_tokens', ['token_hash'], 'purpose, created_at'),
  defineErasureOfUser('login_challenges', ['token_hash']),
  defineErasureOfUser('two_factor_secrets', ['user_id']),
  defineErasureOfUser('recovery_codes', ['user_id', 'code_hash']),
  {
    table: 'password_reset_requests',
    erase: (database, { email }) => deleteResetRequestsOfAddress(database, { email }),
  },
];

/** What this room stores about an organization. Logins belong to users, who may have other organizations. */
export const AUTH_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'api_tokens', key: ['id'] }),
  defineOrganizationTable({ table: 'portal_links', key: ['id'] }),
];

/**
 * Deletes along the index that begins with the user and continues with `order`. Without an order, PostgreSQL may scan the
 * table from its beginning where it expects many of its rows to belong to one user.
 */
function defineErasureOfUser(table: string, key: readonly string[], order = key.join(', ')): PersonErasure {
  const deleteRows = statement({
    name: `delete_${table}_of_user`,
    parameters: { userId: 'text', limit: 'integer' },
    returns: count(),
    sql: ({ userId, limit }) => `
      with d as materialized (
        select ${key.join(', ')} from ${table} where user_id = ${userId} order by ${order} limit ${limit}
      )
      delete from ${table} t using ${keysIn('d', key)} where t.user_id = ${userId} and ${isSameKey('t', key)}`,
  });
  return { table, erase: (database, { userId }, limit) => deleteRows(database, { userId, limit }) };
}

/** With a subquery, PostgreSQL does not plan a table scan for a value that is frequent. */
const scalar = (placeholder: string) => `(select ${placeholder})`;

/** Whether a user logged in, refreshed a login or used an API token since this time. */
export const findActivityOfUser = statement({
  name: 'find_activity_of_user',
  parameters: { userId: 'text', since: 'timestamptz' },
  returns: one<{ is_active: boolean }>(),
  sql: ({ userId, since }) => `
    select exists (select from login_sessions where user_id = ${scalar(userId)} and last_seen_at >= ${since})
      or exists (
        select from api_tokens
        where user_id = ${scalar(userId)} and (created_at >= ${since} or last_used_at >= ${since})) as is_active`,
});

/** Whether any user did the same in an organization, or one of its members logged in anywhere. */
export const findActivityInOrganization = statement({
  name: 'find_activity_in_organization',
  parameters: { organizationId: 'text', memberIds: 'text[]', since: 'timestamptz' },
  returns: one<{ is_active: boolean }>(),
  sql: ({ organizationId, memberIds, since }) => `
    select exists (
        select from login_sessions where organization_id = ${scalar(organizationId)} and last_seen_at >= ${since})
      or exists (
        select from api_tokens
        where organization_id = ${scalar(organizationId)} and (created_at >= ${since} or last_used_at >= ${since}))
      or exists (
        select from login_sessions where user_id = any(${memberIds}) and last_seen_at >= ${since}) as is_active`,
});
