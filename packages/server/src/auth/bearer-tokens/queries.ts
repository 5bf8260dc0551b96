import type { Queries, Statement } from '../../database/index.ts';
import type { MemberTokenKind, Principal, Role } from '../../http/index.ts';

/** A token that was asked for, by the place of the question in its batch. */
export interface BearerTokenRow {
  position: number;
  kind: MemberTokenKind;
  user_id: string;
  source_id: string;
  /** The organization that the token was made in. */
  home_organization_id: string;
  scopes: string[] | null;
  is_revoked: boolean;
  is_expired: boolean;
  expires_at: Date | null;
  /** Null when the user is no member of the organization that is meant. */
  role: Role | null;
  tier: Principal['tier'] | null;
  clock_offset_ms: number | null;
}

/** Every token found of many that are asked for at once, each with the organization that its request names or null. */
export async function findBearerTokens(
  database: Queries,
  hashes: readonly Buffer[],
  organizationIds: ReadonlyArray<string | null>,
): Promise<BearerTokenRow[]> {
  return database.query(FIND_BEARER_TOKENS, [hashes, organizationIds]);
}

/** Ends every bearer token of a login session, an API token or an OAuth grant. */
export async function revokeBearerTokens(tx: Queries, userId: string, sourceId: string): Promise<void> {
  await tx.query(REVOKE_BEARER_TOKENS, [userId, sourceId]);
}

/** Ends every bearer token of many of a user's login sessions, API tokens or OAuth grants at once. */
export async function revokeBearerTokensOfSources(
  tx: Queries,
  userId: string,
  sourceIds: readonly string[],
): Promise<void> {
  await tx.query(REVOKE_BEARER_TOKENS_OF_SOURCES, [userId, sourceIds]);
}

/** Writes the bearer token of an API token, with the creation and expiry that the API token was given. */
export async function insertApiBearerToken(
  tx: Queries,
  token: {
    hash: Buffer;
    userId: string;
    organizationId: string;
    sourceId: string;
    scopes: readonly string[];
    createdAt: Date;
    expiresAt: Date | null;
  },
): Promise<void> {
  const { hash, userId, organizationId, sourceId, scopes, createdAt, expiresAt } = token;
  await tx.query(INSERT_API_BEARER_TOKEN, [hash, userId, organizationId, sourceId, scopes, createdAt, expiresAt]);
}

/** Deletes at most `limit` tokens that expired before this time; returns how many. */
export async function deleteForgottenBearerTokens(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_BEARER_TOKENS, [limit, before])).length;
}

/** A session token may act in another organization of its user; the other kinds stay in their own. */
const FIND_BEARER_TOKENS: Statement<BearerTokenRow> = {
  name: 'find_bearer_tokens',
  text: `select w.position::integer as position, b.kind, b.user_id, b.source_id,
      b.organization_id as home_organization_id, b.scopes,
      b.revoked_at is not null as is_revoked,
      b.expires_at is not null and b.expires_at <= clock_timestamp() as is_expired,
      b.expires_at, m.role, o.tier, o.clock_offset_ms
    from unnest($1::bytea[], $2::text[]) with ordinality as w (token_hash, organization_id, position)
    join bearer_tokens b on b.token_hash = w.token_hash
    left join memberships m on m.user_id = b.user_id
      and m.organization_id = case b.kind
        when 'session' then coalesce(w.organization_id, b.organization_id) else b.organization_id end
    left join organizations o on o.id = m.organization_id`,
};

/** A token without an expiry gets one, so that the clean-up finds it some day. */
const REVOKE_BEARER_TOKENS: Statement<never> = {
  name: 'revoke_bearer_tokens',
  text: `update bearer_tokens set
      revoked_at = clock_timestamp(), expires_at = coalesce(expires_at, clock_timestamp())
    where user_id = $1 and source_id = $2 and revoked_at is null`,
};

const REVOKE_BEARER_TOKENS_OF_SOURCES: Statement<never> = {
  name: 'revoke_bearer_tokens_of_sources',
  text: `update bearer_tokens set
      revoked_at = clock_timestamp(), expires_at = coalesce(expires_at, clock_timestamp())
    where user_id = $1 and source_id = any($2::text[]) and revoked_at is null`,
};

const INSERT_API_BEARER_TOKEN: Statement<never> = {
  name: 'insert_api_bearer_token',
  text: `insert into bearer_tokens
      (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at)
    values ($1, 'api', $2, $3, $4, $5, $6, $7)`,
};

/** Several processes tidy up at once: each takes rows that no other holds. `in` instead of `any` reads the whole table. */
const DELETE_FORGOTTEN_BEARER_TOKENS: Statement<{ source_id: string }> = {
  name: 'delete_forgotten_bearer_tokens',
  text: `delete from bearer_tokens where token_hash = any(array(
      select token_hash from bearer_tokens where expires_at < $2::timestamptz
      order by expires_at limit $1 for update skip locked
    )) returning source_id`,
};
