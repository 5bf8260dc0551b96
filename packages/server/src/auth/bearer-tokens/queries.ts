import { arrays, count, many, statement } from '../../database/index.ts';
import type { MemberTokenKind, Principal, Role, StaffRole } from '../../http/index.ts';

/** A token that was looked up. */
export interface BearerTokenRow {
  /** The position of the question in the batch. */
  position: number;
  kind: MemberTokenKind;
  user_id: string;
  source_id: string;
  /** The organization that the token was created in. */
  home_organization_id: string;
  scopes: string[] | null;
  is_revoked: boolean;
  is_expired: boolean;
  expires_at: Date | null;
  /** Null if the user is not a member of the organization in question. */
  role: Role | null;
  tier: Principal['tier'] | null;
  clock_offset_ms: number | null;
  is_suspended: boolean;
  /** Null for users who are not staff, and for tokens that are not of a login. */
  staff_role: StaffRole | null;
  /** Whether the login of a staff member passed two-factor. */
  passed_two_factor: boolean;
}

/**
 * Looks up many tokens, each with the organization that its request names or null. A session token may act in another
 * organization of its user; the other kinds stay in their own. For staff it reads the role and the login as well, so
 * that a demotion or removal takes effect at the next request. For everyone else this costs one probe of an index that
 * fits into a page.
 */
export const listBearerTokens = statement({
  name: 'list_bearer_tokens',
  parameters: { asked: arrays({ position: 'integer', token_hash: 'bytea', organization_id: 'text | null' }) },
  returns: many<BearerTokenRow>(),
  sql: ({ asked }) => `
    select asked.position, b.kind, b.user_id, b.source_id, b.organization_id as home_organization_id, b.scopes,
      b.revoked_at is not null as is_revoked,
      b.expires_at is not null and b.expires_at <= clock_timestamp() as is_expired,
      b.expires_at, m.role, o.tier, o.clock_offset_ms, o.suspended_at is not null as is_suspended,
      s.role as staff_role,
      coalesce(l.passed_two_factor, false) as passed_two_factor
    from ${asked}
    join bearer_tokens b on b.token_hash = asked.token_hash
    left join memberships m on m.user_id = b.user_id
      and m.organization_id = case b.kind
        when 'session' then coalesce(asked.organization_id, b.organization_id) else b.organization_id end
    left join organizations o on o.id = m.organization_id
    left join staff_members s on s.user_id = b.user_id and b.kind = 'session'
    left join login_sessions l on l.user_id = s.user_id and l.id = b.source_id`,
});

/** Inserts the bearer token of an API token, with the API token's creation time and expiry. */
export const insertApiBearerToken = statement({
  name: 'insert_api_bearer_token',
  parameters: {
    hash: 'bytea',
    userId: 'text',
    organizationId: 'text',
    sourceId: 'text',
    scopes: 'text[]',
    createdAt: 'timestamptz',
    expiresAt: 'timestamptz | null',
  },
  sql: ({ hash, userId, organizationId, sourceId, scopes, createdAt, expiresAt }) => `
    insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at)
    values (${hash}, 'api', ${userId}, ${organizationId}, ${sourceId}, ${scopes}, ${createdAt}, ${expiresAt})`,
});

/** SQL: a token without an expiry gets one when it is revoked, so that the sweep finds it later. */
export const REVOKED = 'revoked_at = clock_timestamp(), expires_at = coalesce(expires_at, clock_timestamp())';

/** Revokes every bearer token of a login session, an API token or an OAuth grant. */
export const updateBearerTokensRevoked = statement({
  name: 'update_bearer_tokens_revoked',
  parameters: { userId: 'text', sourceId: 'text' },
  sql: ({ userId, sourceId }) => `
    update bearer_tokens set ${REVOKED}
    where user_id = ${userId} and source_id = ${sourceId} and revoked_at is null`,
});

/** Revokes every bearer token of many login sessions of a user. */
export const updateBearerTokensOfSourcesRevoked = statement({
  name: 'update_bearer_tokens_of_sources_revoked',
  parameters: { userId: 'text', sourceIds: 'text[]' },
  sql: ({ userId, sourceIds }) => `
    update bearer_tokens set ${REVOKED}
    where user_id = ${userId} and source_id = any(${sourceIds}) and revoked_at is null`,
});

/** Lets the bearer tokens of an API token expire at this time, unless they expire earlier. */
export const updateBearerTokensExpiry = statement({
  name: 'update_bearer_tokens_expiry',
  parameters: { userId: 'text', sourceId: 'text', expiresAt: 'timestamptz | null' },
  sql: ({ userId, sourceId, expiresAt }) => `
    update bearer_tokens set expires_at = least(expires_at, ${expiresAt})
    where user_id = ${userId} and source_id = ${sourceId} and revoked_at is null`,
});

/**
 * Deletes at most `limit` tokens that expired before this time; counts them. Several processes may delete at the same
 * time: each takes rows that no other holds. `in` instead of `any` reads the whole table.
 */
export const deleteForgottenBearerTokens = statement({
  name: 'delete_forgotten_bearer_tokens',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from bearer_tokens where token_hash = any(array(
      select token_hash from bearer_tokens where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked
    ))`,
});
