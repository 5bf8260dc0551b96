import type { Queries, Statement } from '../../database/index.ts';
import type { Role } from '../../http/index.ts';

/** Something of the authorization server's that lives, as it is kept. */
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

/** A code or a token, with the grant that it belongs to and the family that it ends with. */
export interface NewToken {
  idHash: Buffer;
  payload: Buffer;
  grantId: string;
  userId: string;
  familyHash: Buffer;
  ttlSeconds: number;
}

/** A grant that lives, with what its user and the app may do at most now. */
export interface GrantForTokensRow {
  id: string;
  user_id: string;
  app_id: string;
  scopes: string[];
  app_scopes: string[];
  role: Role;
}

/** What is kept under this hash and has not expired. */
export async function findArtifact(database: Queries, model: string, idHash: Buffer): Promise<ArtifactRow | undefined> {
  return (await database.query(FIND_ARTIFACT, [model, idHash]))[0];
}

/**
 * A code or token that has not expired and whose grant lives, and whether it was spent only after the request had come,
 * so many milliseconds ago.
 */
export async function findToken(
  database: Queries,
  model: string,
  idHash: Buffer,
  waitedMs: number,
): Promise<TokenRow | undefined> {
  return (await database.query(FIND_TOKEN, [model, idHash, Math.ceil(waitedMs)]))[0];
}

/** Removes something for good. */
export async function deleteArtifact(database: Queries, model: string, idHash: Buffer): Promise<void> {
  await database.query(DELETE_ARTIFACT, [model, idHash]);
}

/** Spends a code or a refresh token; returns false when it is spent, expired or gone. Of many at once, one succeeds. */
export async function consumeToken(database: Queries, model: string, idHash: Buffer): Promise<boolean> {
  return (await database.query(CONSUME_TOKEN, [model, idHash])).length > 0;
}

/**
 * Locks the code or refresh token that a new token is made from, and returns its family; undefined when it is gone. A
 * refresh token that stays lives on from now, up to a year after it was made.
 */
export async function renewParent(
  tx: Queries,
  parent: { model: string; idHash: Buffer },
  refreshTtlSeconds: number,
): Promise<Buffer | undefined> {
  return (await tx.query(RENEW_PARENT, [parent.model, parent.idHash, refreshTtlSeconds]))[0]?.uid_hash;
}

/** Writes a code or a refresh token. */
export async function insertToken(tx: Queries, model: string, token: NewToken): Promise<void> {
  const { idHash, payload, userId, grantId, familyHash, ttlSeconds } = token;
  await tx.query(INSERT_TOKEN, [model, idHash, payload, userId, grantId, familyHash, ttlSeconds]);
}

/** Writes an access token, for the authorization server and for the API at once. */
export async function insertAccessToken(
  tx: Queries,
  token: NewToken & { organizationId: string; scopes: readonly string[] },
): Promise<void> {
  const { idHash, payload, userId, grantId, familyHash, ttlSeconds, organizationId, scopes } = token;
  await tx.query(INSERT_ACCESS_TOKEN, [
    idHash,
    payload,
    userId,
    grantId,
    familyHash,
    ttlSeconds,
    organizationId,
    scopes,
  ]);
}

/** The grant of an access token that the authorization server keeps. */
export async function findGrantKeyOfAccessToken(database: Queries, idHash: Buffer): Promise<string | undefined> {
  return (await database.query(FIND_GRANT_KEY_OF_ACCESS_TOKEN, [idHash]))[0]?.grant_key;
}

/** Ends one access token, at the API as well; returns false when it is gone already. The caller has locked its grant. */
export async function deleteAccessToken(tx: Queries, idHash: Buffer): Promise<boolean> {
  return (await tx.query(DELETE_ACCESS_TOKEN, [idHash])).length > 0;
}

/**
 * Ends a family of tokens with the code that it began with; returns false when nothing is left of it. The caller has
 * locked its grant.
 */
export async function deleteFamily(tx: Queries, familyHash: Buffer): Promise<boolean> {
  return (await tx.query(DELETE_FAMILY, [FAMILY_MODELS, familyHash])).length > 0;
}

/** A grant that lives, as tokens are made and judged by it. */
export async function findGrantForTokens(database: Queries, grantId: string): Promise<GrantForTokensRow | undefined> {
  return (await database.query(FIND_GRANT_FOR_TOKENS, [grantId]))[0];
}

/** A user's live grants to an app, in any organization; two at most, since only a single one decides by itself. */
export async function findGrantIds(database: Queries, userId: string, appId: string): Promise<string[]> {
  return (await database.query(FIND_GRANT_IDS, [userId, appId])).map((row) => row.id);
}

/** Removes what has expired, at most `limit`; returns how many went. */
export async function deleteExpiredArtifacts(database: Queries, limit: number): Promise<number> {
  return (await database.query(DELETE_EXPIRED_ARTIFACTS, [limit, [...FAMILY_MODELS, 'Session', 'Interaction']])).length;
}

const FAMILY_MODELS = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

const FIND_ARTIFACT: Statement<ArtifactRow> = {
  name: 'find_oauth_artifact',
  text: `select payload, uid_hash, expires_at, consumed_at from oauth_artifacts
    where model = $1 and id_hash = $2 and expires_at > clock_timestamp()`,
};

/** As `lockLiveGrant` tells a grant that lives. */
const LIVE_GRANT = `join oauth_apps p on p.id = g.app_id and p.deleted_at is null
    join organizations o on o.id = p.organization_id and o.deleted_at is null
    join memberships m on m.organization_id = g.organization_id and m.user_id = g.user_id`;

const FIND_TOKEN: Statement<TokenRow> = {
  name: 'find_oauth_token',
  text: `select a.payload, a.uid_hash, a.expires_at, a.consumed_at,
      coalesce(a.consumed_at > clock_timestamp() - $3::integer * interval '1 millisecond', false) as is_just_consumed
    from oauth_artifacts a
    join oauth_grants g on g.id = a.grant_key and g.ended_at is null
    ${LIVE_GRANT}
    where a.model = $1 and a.id_hash = $2 and a.expires_at > clock_timestamp()`,
};

const DELETE_ARTIFACT: Statement<never> = {
  name: 'delete_oauth_artifact',
  text: 'delete from oauth_artifacts where model = $1 and id_hash = $2',
};

const CONSUME_TOKEN: Statement<{ model: string }> = {
  name: 'consume_oauth_token',
  text: `update oauth_artifacts set consumed_at = clock_timestamp()
    where model = $1 and id_hash = $2 and consumed_at is null and expires_at > clock_timestamp()
    returning model`,
};

const RENEW_PARENT: Statement<{ uid_hash: Buffer }> = {
  name: 'renew_oauth_parent',
  text: `update oauth_artifacts set expires_at = case
      when model = 'RefreshToken' and consumed_at is null then greatest(expires_at, least(
        clock_timestamp() + $3::integer * interval '1 second', created_at + interval '1 year'))
      else expires_at end
    where model = $1 and id_hash = $2
    returning uid_hash`,
};

const INSERT_TOKEN: Statement<never> = {
  name: 'insert_oauth_token',
  text: `insert into oauth_artifacts (model, id_hash, payload, user_id, grant_key, uid_hash, created_at, expires_at)
    select $1, $2, $3, $4, $5, $6, n.t, n.t + $7::integer * interval '1 second' from (select clock_timestamp() as t) n`,
};

const INSERT_ACCESS_TOKEN: Statement<never> = {
  name: 'insert_oauth_access_token',
  text: `with kept as (
      insert into oauth_artifacts (model, id_hash, payload, user_id, grant_key, uid_hash, created_at, expires_at)
      select 'AccessToken', $1::bytea, $2, $3::text, $4::text, $5, n.t, n.t + $6::integer * interval '1 second'
      from (select clock_timestamp() as t) n
      returning created_at, expires_at
    )
    insert into bearer_tokens
      (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at)
    select $1::bytea, 'oauth', $3::text, $7, $4::text, $8, created_at, expires_at from kept`,
};

const FIND_GRANT_KEY_OF_ACCESS_TOKEN: Statement<{ grant_key: string }> = {
  name: 'find_grant_key_of_oauth_access_token',
  text: `select grant_key from oauth_artifacts where model = 'AccessToken' and id_hash = $1 and grant_key is not null`,
};

const DELETE_ACCESS_TOKEN: Statement<{ model: string }> = {
  name: 'delete_oauth_access_token',
  text: `with gone as (
      delete from oauth_artifacts where model = 'AccessToken' and id_hash = $1::bytea returning model
    ), dead as (
      update bearer_tokens set revoked_at = clock_timestamp()
      where token_hash = $1::bytea and kind = 'oauth' and revoked_at is null
    )
    select model from gone`,
};

const DELETE_FAMILY: Statement<{ model: string }> = {
  name: 'delete_oauth_family',
  text: `with gone as (
      delete from oauth_artifacts where model = any($1::text[]) and uid_hash = $2 returning model, id_hash
    ), dead as (
      update bearer_tokens set revoked_at = clock_timestamp()
      where token_hash = any(array(select id_hash from gone where model = 'AccessToken'))
        and kind = 'oauth' and revoked_at is null
    )
    select model from gone`,
};

const FIND_GRANT_FOR_TOKENS: Statement<GrantForTokensRow> = {
  name: 'find_oauth_grant_for_tokens',
  text: `select g.id, g.user_id, g.app_id, g.scopes, p.scopes as app_scopes, m.role
    from oauth_grants g
    ${LIVE_GRANT}
    where g.id = $1 and g.ended_at is null`,
};

const FIND_GRANT_IDS: Statement<{ id: string }> = {
  name: 'find_oauth_grant_ids',
  text: `select g.id from oauth_grants g
    ${LIVE_GRANT}
    where g.user_id = $1 and g.app_id = $2 and g.ended_at is null limit 2`,
};

/** Expired access tokens are remembered among the bearer tokens. The models are named so that the key's index is used. */
const DELETE_EXPIRED_ARTIFACTS: Statement<{ model: string }> = {
  name: 'delete_expired_oauth_artifacts',
  text: `delete from oauth_artifacts
    where model = any($2::text[]) and id_hash = any(array(
      select id_hash from oauth_artifacts where expires_at < (select clock_timestamp())
      order by expires_at limit $1 for update skip locked
    )) returning model`,
};
