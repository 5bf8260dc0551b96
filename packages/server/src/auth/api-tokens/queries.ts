import type { Queries, Statement } from '../../database/index.ts';
import type { Role } from '../../http/index.ts';

/** An API token as it is kept. */
export interface ApiTokenRow {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  replaced_by: string | null;
  is_expired: boolean;
}

/** Whose tokens: those that one user made in one organization. */
export interface TokenOwner {
  organizationId: string;
  userId: string;
}

/**
 * Whether a token has expired, by the clock that judges its use. Written so that PostgreSQL does not see that it
 * implies `expires_at is not null`: it would then read the whole partial index api_tokens_to_warn.
 */
export const IS_EXPIRED = 'coalesce(expires_at <= clock_timestamp(), false)';

/** The columns of an ApiTokenRow. */
export const API_TOKEN_COLUMNS = `id, name, prefix, scopes, created_at, expires_at, last_used_at, replaced_by,
  ${IS_EXPIRED} as is_expired`;

/** The owner's role in the organization, locked until the transaction ends; undefined when they are no member. */
export async function lockRole(tx: Queries, owner: TokenOwner): Promise<Role | undefined> {
  return (await tx.query(LOCK_ROLE, [owner.organizationId, owner.userId]))[0]?.role;
}

/** Writes an API token, or returns undefined when it would have expired already. */
export async function insertApiToken(
  tx: Queries,
  owner: TokenOwner,
  token: { id: string; name: string; prefix: string; scopes: readonly string[]; expiresAt: Date | null },
): Promise<ApiTokenRow | undefined> {
  const { id, name, prefix, scopes, expiresAt } = token;
  const values = [owner.organizationId, id, owner.userId, name, prefix, scopes, expiresAt];
  return (await tx.query(INSERT_API_TOKEN, values))[0];
}

/** A token of its owner that is not revoked, or undefined. */
export async function findApiToken(database: Queries, owner: TokenOwner, id: string): Promise<ApiTokenRow | undefined> {
  return (await database.query(FIND_API_TOKEN, [owner.organizationId, id, owner.userId]))[0];
}

/** Marks a token of its owner as revoked and answers it; undefined when there is none that is not revoked. */
export async function revokeApiToken(tx: Queries, owner: TokenOwner, id: string): Promise<ApiTokenRow | undefined> {
  return (await tx.query(REVOKE_API_TOKEN, [owner.organizationId, id, owner.userId]))[0];
}

/**
 * Revokes every token that a user made in an organization, and the bearer tokens of those. Call it after the membership
 * was removed: that removal waits for a transaction that holds the membership by `lockRole` to write a token.
 */
export async function revokeApiTokensOfOwner(tx: Queries, owner: TokenOwner): Promise<void> {
  await tx.query(REVOKE_API_TOKENS_OF_OWNER, [owner.organizationId, owner.userId]);
}

/**
 * Revokes every token that a user made, in any organization, and the bearer tokens of those; returns them. Call it
 * after the user's logins were ended: that waits for a transaction that holds one by `requireLiveLogin` to write a
 * token.
 */
export async function revokeApiTokensOfUser(
  tx: Queries,
  userId: string,
): Promise<Array<ApiTokenRow & { organization_id: string }>> {
  return tx.query(REVOKE_API_TOKENS_OF_USER, [userId]);
}

/** Writes when each of many tokens was last used; a later time that another process wrote stays. */
export async function updateLastUse(
  database: Queries,
  uses: ReadonlyArray<{ organizationId: string; tokenId: string; usedAt: Date }>,
): Promise<void> {
  const values = [uses.map((use) => use.organizationId), uses.map((use) => use.tokenId), uses.map((use) => use.usedAt)];
  // In a transaction, since processes that write the same rows in another order can deadlock, and it tries again.
  await database.transaction((tx) => tx.query(UPDATE_LAST_USE, values));
}

const LOCK_ROLE: Statement<{ role: Role }> = {
  name: 'lock_role',
  text: 'select role from memberships where organization_id = $1 and user_id = $2 for share',
};

const FIND_API_TOKEN: Statement<ApiTokenRow> = {
  name: 'find_api_token',
  text: `select ${API_TOKEN_COLUMNS} from api_tokens
    where organization_id = $1 and id = $2 and user_id = $3 and revoked_at is null`,
};

/** The expiry is compared with the database's clock, as every later use of the token will be. */
const INSERT_API_TOKEN: Statement<ApiTokenRow> = {
  name: 'insert_api_token',
  text: `insert into api_tokens (organization_id, id, user_id, name, prefix, scopes, created_at, expires_at)
    select $1, $2, $3, $4, $5, $6, n.t, $7::timestamptz from (select clock_timestamp() as t) n
    where $7::timestamptz is null or $7::timestamptz > n.t
    returning ${API_TOKEN_COLUMNS}`,
};

const REVOKE_API_TOKEN: Statement<ApiTokenRow> = {
  name: 'revoke_api_token',
  text: `update api_tokens set revoked_at = clock_timestamp()
    where organization_id = $1 and id = $2 and user_id = $3 and revoked_at is null returning ${API_TOKEN_COLUMNS}`,
};

/** A bearer token without an expiry gets one, so that the clean-up finds it some day. */
const REVOKE_API_TOKENS_OF_OWNER: Statement<never> = {
  name: 'revoke_api_tokens_of_owner',
  text: `with revoked as (
      update api_tokens set revoked_at = clock_timestamp()
      where organization_id = $1 and user_id = $2::text and revoked_at is null returning id
    )
    update bearer_tokens set revoked_at = clock_timestamp(), expires_at = coalesce(expires_at, clock_timestamp())
    where user_id = $2::text and source_id = any(array(select id from revoked)) and revoked_at is null`,
};

/** Found by the bearer tokens, which have an index by user: one that is gone was expired long ago. */
const REVOKE_API_TOKENS_OF_USER: Statement<ApiTokenRow & { organization_id: string }> = {
  name: 'revoke_api_tokens_of_user',
  text: `with held as materialized (
      select organization_id as held_in, source_id from bearer_tokens
      where user_id = $1::text and kind = 'api' and revoked_at is null
    ), revoked as (
      update api_tokens set revoked_at = clock_timestamp() from held
      where organization_id = held_in and id = source_id and user_id = $1::text and revoked_at is null
      returning organization_id, ${API_TOKEN_COLUMNS}
    ), dead as (
      update bearer_tokens set revoked_at = clock_timestamp(), expires_at = coalesce(expires_at, clock_timestamp())
      where user_id = $1::text and source_id = any(array(select id from revoked)) and revoked_at is null
    )
    select * from revoked`,
};

const UPDATE_LAST_USE: Statement<never> = {
  name: 'update_last_use',
  text: `update api_tokens t set last_used_at = greatest(t.last_used_at, u.used_at)
    from unnest($1::text[], $2::text[], $3::timestamptz[]) as u (organization_id, id, used_at)
    where t.organization_id = u.organization_id and t.id = u.id`,
};
