import { arrays, many, maybeOne, statement } from '../../database/index.ts';
import { REVOKED } from '../bearer-tokens/queries.ts';

/** An API token as stored. */
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

/** Selects the tokens that one user created in one organization. */
export interface TokenOwner {
  organizationId: string;
  userId: string;
}

/**
 * Whether a token has expired, by the clock that its use is checked with. Written so that PostgreSQL does not notice
 * that it implies `expires_at is not null`: it would then read the whole partial index api_tokens_to_warn.
 */
export const IS_EXPIRED = 'coalesce(expires_at <= clock_timestamp(), false)';

/** The columns of an ApiTokenRow. */
export const API_TOKEN_COLUMNS = `id, name, prefix, scopes, created_at, expires_at, last_used_at, replaced_by,
  ${IS_EXPIRED} as is_expired`;

/** A token of its owner that is not revoked. */
export const findApiToken = statement({
  name: 'find_api_token',
  parameters: { organizationId: 'text', userId: 'text', id: 'text' },
  returns: maybeOne<ApiTokenRow>(),
  sql: ({ organizationId, userId, id }) => `
    select ${API_TOKEN_COLUMNS} from api_tokens
    where organization_id = ${organizationId} and id = ${id} and user_id = ${userId} and revoked_at is null`,
});

/**
 * Inserts an API token, unless it would have expired already. The expiry is compared with the database's clock, as every
 * later use of the token will be.
 */
export const insertApiToken = statement({
  name: 'insert_api_token',
  parameters: {
    organizationId: 'text',
    userId: 'text',
    id: 'text',
    name: 'text',
    prefix: 'text',
    scopes: 'text[]',
    expiresAt: 'timestamptz | null',
  },
  returns: maybeOne<ApiTokenRow>(),
  sql: ({ organizationId, userId, id, name, prefix, scopes, expiresAt }) => `
    insert into api_tokens (organization_id, id, user_id, name, prefix, scopes, created_at, expires_at)
    select ${organizationId}, ${id}, ${userId}, ${name}, ${prefix}, ${scopes}, n.t, ${expiresAt}
    from (select clock_timestamp() as t) n
    where ${expiresAt} is null or ${expiresAt} > n.t
    returning ${API_TOKEN_COLUMNS}`,
});

/** Marks a token of its owner as revoked. Its bearer tokens are revoked by `updateBearerTokensRevoked`. */
export const updateApiTokenRevoked = statement({
  name: 'update_api_token_revoked',
  parameters: { organizationId: 'text', userId: 'text', id: 'text' },
  returns: maybeOne<ApiTokenRow>(),
  sql: ({ organizationId, userId, id }) => `
    update api_tokens set revoked_at = clock_timestamp()
    where organization_id = ${organizationId} and id = ${id} and user_id = ${userId} and revoked_at is null
    returning ${API_TOKEN_COLUMNS}`,
});

/**
 * Revokes every token that a user created in an organization, with the bearer tokens. Call it after removing the
 * membership: the removal waits for a transaction that holds the membership by `lockMemberRole` to write a token.
 */
export const updateApiTokensOfOwnerRevoked = statement({
  name: 'update_api_tokens_of_owner_revoked',
  parameters: { organizationId: 'text', userId: 'text' },
  sql: ({ organizationId, userId }) => `
    with revoked as (
      update api_tokens set revoked_at = clock_timestamp()
      where organization_id = ${organizationId} and user_id = ${userId} and revoked_at is null returning id
    )
    update bearer_tokens set ${REVOKED}
    where user_id = ${userId} and source_id = any(array(select id from revoked)) and revoked_at is null`,
});

/**
 * Revokes every token that a user created, in any organization, with the bearer tokens. Call it after ending the user's
 * logins: that waits for a transaction that holds one by `requireLiveLogin` to write a token. The tokens are found by
 * their bearer tokens, which have an index by user: a token without one expired long ago.
 */
export const updateApiTokensOfUserRevoked = statement({
  name: 'update_api_tokens_of_user_revoked',
  parameters: { userId: 'text' },
  returns: many<ApiTokenRow & { organization_id: string }>(),
  sql: ({ userId }) => `
    with held as materialized (
      select organization_id as held_in, source_id from bearer_tokens
      where user_id = ${userId} and kind = 'api' and revoked_at is null
    ), revoked as (
      update api_tokens set revoked_at = clock_timestamp() from held
      where organization_id = held_in and id = source_id and user_id = ${userId} and revoked_at is null
      returning organization_id, ${API_TOKEN_COLUMNS}
    ), dead as (
      update bearer_tokens set ${REVOKED}
      where user_id = ${userId} and source_id = any(array(select id from revoked)) and revoked_at is null
    )
    select * from revoked`,
});

/** Writes when each of many tokens was last used; keeps a later time that another process wrote. */
export const updateLastUses = statement({
  name: 'update_last_uses',
  parameters: { uses: arrays({ organization_id: 'text', id: 'text', used_at: 'timestamptz' }) },
  sql: ({ uses }) => `
    update api_tokens t set last_used_at = greatest(t.last_used_at, uses.used_at)
    from ${uses} where t.organization_id = uses.organization_id and t.id = uses.id`,
});
