import {
  defineOrganizationTable,
  isSameKey,
  keysIn,
  type OrganizationTable,
  type PersonErasure,
  type Queries,
  type Statement,
} from '../../database/index.ts';

/** What this room keeps of a user; referring rows come before the rows they refer to. */
export const AUTH_ERASURES: readonly PersonErasure[] = [
  ofUser('refresh_tokens', ['token_hash'], 'login_session_id'),
  ofUser('bearer_tokens', ['token_hash'], 'source_id'),
  ofUser('login_sessions', ['user_id', 'id']),
  ofUser('api_tokens', ['organization_id', 'id']),
  ofUser('one_time_tokens', ['token_hash'], 'purpose, created_at'),
  ofUser('login_challenges', ['token_hash']),
  ofUser('two_factor_secrets', ['user_id']),
  ofUser('recovery_codes', ['user_id', 'code_hash']),
  {
    table: 'password_reset_requests',
    erase: async (database, { email }) => (await database.query(DELETE_RESET_REQUESTS, [email])).length,
  },
];

/** What this room keeps of an organization. Logins are their users', who may have other organizations. */
export const AUTH_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'api_tokens', key: ['id'] }),
];

/** Whether a user logged in, refreshed a login or used an API token since this time. */
export async function hasActivitySince(database: Queries, userId: string, since: Date): Promise<boolean> {
  return (await database.query(FIND_ACTIVITY_OF_USER, [userId, since]))[0]?.is_active === true;
}

/** Whether any user did the same in an organization. */
export async function hasActivityInOrganization(
  database: Queries,
  organizationId: string,
  since: Date,
): Promise<boolean> {
  return (await database.query(FIND_ACTIVITY_IN_ORGANIZATION, [organizationId, since]))[0]?.is_active === true;
}

/**
 * Deletes along the index that begins with the user and continues with `order`. Without an order, PostgreSQL may scan the
 * table from its beginning where it expects many of its rows to belong to one user.
 */
function ofUser(table: string, key: readonly string[], order = key.join(', ')): PersonErasure {
  const statement: Statement<{ gone: number }> = {
    name: `delete_${table}_of_user`,
    text: `with d as materialized (select ${key.join(', ')} from ${table} where user_id = $1 order by ${order} limit $2)
      delete from ${table} t using ${keysIn('d', key)}
      where t.user_id = $1 and ${isSameKey('t', key)} returning 1 as gone`,
  };
  return {
    table,
    erase: async (database, { userId }, limit) => (await database.query(statement, [userId, limit])).length,
  };
}

const DELETE_RESET_REQUESTS: Statement<{ id: string }> = {
  name: 'delete_reset_requests_of_address',
  text: 'delete from password_reset_requests where email = $1 returning id',
};

/** As a query of its own, a value is no reason to read a table from its beginning: that of many rows is like any other. */
const FIRST = '(select $1::text)';

const FIND_ACTIVITY_OF_USER: Statement<{ is_active: boolean }> = {
  name: 'find_activity_of_user',
  text: `select exists (select from login_sessions where user_id = ${FIRST} and last_seen_at >= $2)
    or exists (select from api_tokens where user_id = ${FIRST} and (created_at >= $2 or last_used_at >= $2)) as is_active`,
};

const FIND_ACTIVITY_IN_ORGANIZATION: Statement<{ is_active: boolean }> = {
  name: 'find_activity_in_organization',
  text: `select exists (select from login_sessions where organization_id = ${FIRST} and last_seen_at >= $2)
    or exists (
      select from api_tokens where organization_id = ${FIRST} and (created_at >= $2 or last_used_at >= $2))
    or exists (
      select from memberships m join login_sessions l on l.user_id = m.user_id
      where m.organization_id = $1 and l.last_seen_at >= $2) as is_active`,
};
