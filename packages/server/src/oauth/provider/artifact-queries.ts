import { count, many, maybeOne, statement } from '../../database/index.ts';
import type { Role } from '../../http/index.ts';

/** A stored object of the authorization server that has not expired. */
export interface ArtifactRow {
  payload: Buffer;
  uid_hash: Buffer | null;
  expires_at: Date;
  consumed_at: Date | null;
}

/** A code or a token. */
export interface TokenRow extends ArtifactRow {
  is_just_consumed: boolean;
}

/** A live grant, with the current limits of its user and the app. */
export interface GrantForTokensRow {
  id: string;
  user_id: string;
  app_id: string;
  scopes: string[];
  app_scopes: string[];
  role: Role;
}

/** SQL: the models of a family of tokens, which ends as a whole. */
const FAMILY_MODELS = "'AccessToken', 'AuthorizationCode', 'DeviceCode', 'RefreshToken'";

/** SQL: a grant is live under the conditions of `lockLiveGrant`. */
const LIVE_GRANT = `join oauth_apps p on p.id = g.app_id and p.deleted_at is null
    join organizations o on o.id = p.organization_id and o.deleted_at is null
    join memberships m on m.organization_id = g.organization_id and m.user_id = g.user_id`;

/** The unexpired object with this hash. */
export const findArtifact = statement({
  name: 'find_oauth_artifact',
  parameters: { model: 'text', idHash: 'bytea' },
  returns: maybeOne<ArtifactRow>(),
  sql: ({ model, idHash }) => `
    select payload, uid_hash, expires_at, consumed_at from oauth_artifacts
    where model = ${model} and id_hash = ${idHash} and expires_at > clock_timestamp()`,
});

/**
 * An unexpired code or token whose grant is live. `is_just_consumed` tells whether it was spent within the last
 * `waitedMs`, so only after the request arrived.
 */
export const findToken = statement({
  name: 'find_oauth_token',
  parameters: { model: 'text', idHash: 'bytea', waitedMs: 'integer' },
  returns: maybeOne<TokenRow>(),
  sql: ({ model, idHash, waitedMs }) => `
    select a.payload, a.uid_hash, a.expires_at, a.consumed_at,
      coalesce(a.consumed_at > clock_timestamp() - ${waitedMs} * interval '1 millisecond', false) as is_just_consumed
    from oauth_artifacts a
    join oauth_grants g on g.id = a.grant_key and g.ended_at is null
    ${LIVE_GRANT}
    where a.model = ${model} and a.id_hash = ${idHash} and a.expires_at > clock_timestamp()`,
});

export const deleteArtifact = statement({
  name: 'delete_oauth_artifact',
  parameters: { model: 'text', idHash: 'bytea' },
  sql: ({ model, idHash }) => `delete from oauth_artifacts where model = ${model} and id_hash = ${idHash}`,
});

/**
 * Spends a code or a refresh token that is neither spent nor expired. Only one of several concurrent attempts succeeds.
 */
export const updateTokenConsumed = statement({
  name: 'update_oauth_token_consumed',
  parameters: { model: 'text', idHash: 'bytea' },
  returns: count(),
  sql: ({ model, idHash }) => `
    update oauth_artifacts set consumed_at = clock_timestamp()
    where model = ${model} and id_hash = ${idHash} and consumed_at is null and expires_at > clock_timestamp()`,
});

/**
 * Locks the code or refresh token that a new token is created from, and returns its family. An unspent refresh token
 * gets a new lifetime, up to a year after it was created.
 */
export const updateParentExpiry = statement({
  name: 'update_oauth_parent_expiry',
  parameters: { model: 'text', idHash: 'bytea', refreshTtlSeconds: 'integer' },
  returns: maybeOne<{ uid_hash: Buffer }>(),
  sql: ({ model, idHash, refreshTtlSeconds }) => `
    update oauth_artifacts set expires_at = case
      when model = 'RefreshToken' and consumed_at is null then greatest(expires_at, least(
        clock_timestamp() + ${refreshTtlSeconds} * interval '1 second', created_at + interval '1 year'))
      else expires_at end
    where model = ${model} and id_hash = ${idHash}
    returning uid_hash`,
});

/** The parameters of a code or token: the grant that it belongs to and the family that it ends with. */
const TOKEN_PARAMETERS = {
  idHash: 'bytea',
  payload: 'bytea',
  userId: 'text',
  grantId: 'text',
  familyHash: 'bytea',
  ttlSeconds: 'integer',
} as const;

/** Inserts a code or a refresh token. */
export const insertToken = statement({
  name: 'insert_oauth_token',
  parameters: { model: 'text', ...TOKEN_PARAMETERS },
  sql: ({ model, idHash, payload, userId, grantId, familyHash, ttlSeconds }) => `
    insert into oauth_artifacts (model, id_hash, payload, user_id, grant_key, uid_hash, created_at, expires_at)
    select ${model}, ${idHash}, ${payload}, ${userId}, ${grantId}, ${familyHash}, n.t,
      n.t + ${ttlSeconds} * interval '1 second'
    from (select clock_timestamp() as t) n`,
});

/** Inserts an access token, for both the authorization server and the API. */
export const insertAccessToken = statement({
  name: 'insert_oauth_access_token',
  parameters: { ...TOKEN_PARAMETERS, organizationId: 'text', scopes: 'text[]' },
  sql: ({ idHash, payload, userId, grantId, familyHash, ttlSeconds, organizationId, scopes }) => `
    with kept as (
      insert into oauth_artifacts (model, id_hash, payload, user_id, grant_key, uid_hash, created_at, expires_at)
      select 'AccessToken', ${idHash}, ${payload}, ${userId}, ${grantId}, ${familyHash}, n.t,
        n.t + ${ttlSeconds} * interval '1 second'
      from (select clock_timestamp() as t) n
      returning created_at, expires_at
    )
    insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at)
    select ${idHash}, 'oauth', ${userId}, ${organizationId}, ${grantId}, ${scopes}, created_at, expires_at from kept`,
});

/** The grant of an access token at the authorization server. */
export const findGrantKeyOfAccessToken = statement({
  name: 'find_grant_key_of_oauth_access_token',
  parameters: { idHash: 'bytea' },
  returns: maybeOne<{ grant_key: string }>(),
  sql: ({ idHash }) => `
    select grant_key from oauth_artifacts
    where model = 'AccessToken' and id_hash = ${idHash} and grant_key is not null`,
});

/**
 * Deletes one access token and revokes it at the API; counts it unless it is already gone. The caller has locked its
 * grant.
 */
export const deleteAccessToken = statement({
  name: 'delete_oauth_access_token',
  parameters: { idHash: 'bytea' },
  returns: count(),
  sql: ({ idHash }) => `
    with gone as (
      delete from oauth_artifacts where model = 'AccessToken' and id_hash = ${idHash} returning model
    ), dead as (
      update bearer_tokens set revoked_at = clock_timestamp()
      where token_hash = ${idHash} and kind = 'oauth' and revoked_at is null
    )
    select model from gone`,
});

/** Deletes a family of tokens with its original code; counts the remaining ones. The caller has locked its grant. */
export const deleteFamily = statement({
  name: 'delete_oauth_family',
  parameters: { familyHash: 'bytea' },
  returns: count(),
  sql: ({ familyHash }) => `
    with gone as (
      delete from oauth_artifacts where model in (${FAMILY_MODELS}) and uid_hash = ${familyHash}
      returning model, id_hash
    ), dead as (
      update bearer_tokens set revoked_at = clock_timestamp()
      where token_hash = any(array(select id_hash from gone where model = 'AccessToken'))
        and kind = 'oauth' and revoked_at is null
    )
    select model from gone`,
});

/** A live grant, for creating and checking tokens. */
export const findGrantForTokens = statement({
  name: 'find_oauth_grant_for_tokens',
  parameters: { grantId: 'text' },
  returns: maybeOne<GrantForTokensRow>(),
  sql: ({ grantId }) => `
    select g.id, g.user_id, g.app_id, g.scopes, p.scopes as app_scopes, m.role
    from oauth_grants g
    ${LIVE_GRANT}
    where g.id = ${grantId} and g.ended_at is null`,
});

/** A user's live grants to an app, in any organization; at most two, because only a single one is unambiguous. */
export const listGrantIds = statement({
  name: 'list_oauth_grant_ids',
  parameters: { userId: 'text', appId: 'text' },
  returns: many<{ id: string }>(),
  sql: ({ userId, appId }) => `
    select g.id from oauth_grants g
    ${LIVE_GRANT}
    where g.user_id = ${userId} and g.app_id = ${appId} and g.ended_at is null limit 2`,
});

/**
 * Deletes at most `limit` expired objects; counts them. Expired access tokens are remembered among the bearer tokens.
 * The models are named so that the key's index is used.
 */
export const deleteExpiredArtifacts = statement({
  name: 'delete_expired_oauth_artifacts',
  parameters: { limit: 'integer' },
  returns: count(),
  sql: ({ limit }) => `
    delete from oauth_artifacts
    where model in (${FAMILY_MODELS}, 'Session', 'Interaction') and id_hash = any(array(
      select id_hash from oauth_artifacts where expires_at < (select clock_timestamp())
      order by expires_at limit ${limit} for update skip locked
    ))`,
});
