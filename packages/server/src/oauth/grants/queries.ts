import type { GrantOfToken } from '../../auth/index.ts';
import { arrays, count, many, maybeOne, one, type Queries, statement } from '../../database/index.ts';

/** A live grant, with the data for writing a token. */
export interface LiveGrantRow {
  id: string;
  /** The organization in which its tokens act. */
  organization_id: string;
  user_id: string;
  app_id: string;
  /** The scopes that the user agreed to and the app may still request. */
  scopes: string[];
}

/** A grant as its user sees it. */
export interface GrantRow {
  id: string;
  organization_id: string;
  app_id: string;
  app_name: string;
  scopes: string[];
  created_at: Date;
  updated_at: Date;
}

/** A locked grant, with the organization whose audit log records it. */
export interface LockedGrantRow {
  id: string;
  organization_id: string;
}

/** A grant that was just ended. */
export interface EndedGrantRow {
  id: string;
  user_id: string;
}

/**
 * Keeps a grant from ending until the transaction ends, unless it has ended, the app or its organization was deleted,
 * or the user is no longer a member of the grant's organization. Not a shared lock: new sharers would overtake a
 * transaction that waits to end the grant, so an app that refreshes constantly could keep its own grant alive. Tokens
 * of one grant are written one after the other. The organization is not a parameter, because the authorization server's
 * library only knows the grant's identifier, which is unique.
 */
export const lockLiveGrant = statement({
  name: 'lock_live_grant',
  parameters: { grantId: 'text' },
  returns: maybeOne<LiveGrantRow>(),
  sql: ({ grantId }) => `
    select g.id, g.organization_id, g.user_id, g.app_id,
      array(select s.scope from unnest(g.scopes) with ordinality as s (scope, place)
        where s.scope = any(a.scopes) order by s.place) as scopes
    from oauth_grants g
    join oauth_apps a on a.id = g.app_id
    join organizations o on o.id = a.organization_id
    join memberships m on m.organization_id = g.organization_id and m.user_id = g.user_id
    where g.id = ${grantId} and g.ended_at is null and a.deleted_at is null and o.deleted_at is null
    for no key update of g`,
});

/**
 * Locks a grant, live or ended, against ending and against new tokens. The organization is not a parameter, for the
 * same reason.
 */
export const lockGrant = statement({
  name: 'lock_grant',
  parameters: { grantId: 'text' },
  returns: maybeOne<LockedGrantRow>(),
  sql: ({ grantId }) => `select id, organization_id from oauth_grants where id = ${grantId} for no key update`,
});

/** Locks an app against its deletion, unless it or its organization is deleted. */
export const lockLiveApp = statement({
  name: 'lock_live_oauth_app',
  parameters: { appId: 'text' },
  returns: count(),
  sql: ({ appId }) => `
    select a.id from oauth_apps a join organizations o on o.id = a.organization_id
    where a.id = ${appId} and a.deleted_at is null and o.deleted_at is null for share of a`,
});

/**
 * Inserts a grant, or adds the scopes to the live one. New scopes come last, so that those agreed to before keep their
 * positions.
 */
export const upsertGrant = statement({
  name: 'upsert_grant',
  parameters: { organizationId: 'text', id: 'text', userId: 'text', appId: 'text', scopes: 'text[]' },
  returns: one<{ id: string; scopes: string[] }>(),
  sql: ({ organizationId, id, userId, appId, scopes }) => `
    insert into oauth_grants (organization_id, id, user_id, app_id, scopes, created_at, updated_at)
    select ${organizationId}, ${id}, ${userId}, ${appId}, ${scopes}, n.t, n.t from (select clock_timestamp() as t) n
    on conflict (user_id, app_id, organization_id) where ended_at is null do update set
      scopes = oauth_grants.scopes || array(
        select s.scope from unnest(excluded.scopes) with ordinality as s (scope, place)
        where s.scope <> all(oauth_grants.scopes) order by s.place),
      updated_at = clock_timestamp()
    returning id, scopes`,
});

/** A live grant of this user. */
export const findGrantOfUser = statement({
  name: 'find_grant_of_user',
  parameters: { userId: 'text', id: 'text' },
  returns: maybeOne<GrantRow>(),
  sql: ({ userId, id }) => `
    select g.id, g.organization_id, g.app_id, a.name as app_name, g.scopes, g.created_at, g.updated_at
    from oauth_grants g join oauth_apps a on a.id = g.app_id
    where g.id = ${id} and g.user_id = ${userId} and g.ended_at is null`,
});

/** Marks one grant as ended, unless it already is. */
export const updateGrantEnded = statement({
  name: 'update_grant_ended',
  parameters: { organizationId: 'text', id: 'text' },
  returns: many<EndedGrantRow>(),
  sql: ({ organizationId, id }) => endGrantsWhere(`organization_id = ${organizationId} and id = ${id}`),
});

export const updateGrantsOfUserEnded = statement({
  name: 'update_grants_of_user_ended',
  parameters: { userId: 'text' },
  returns: many<EndedGrantRow>(),
  sql: ({ userId }) => endGrantsWhere(`user_id = ${userId}`),
});

export const updateGrantsOfMemberEnded = statement({
  name: 'update_grants_of_member_ended',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: many<EndedGrantRow>(),
  sql: ({ organizationId, userId }) => endGrantsWhere(`organization_id = ${organizationId} and user_id = ${userId}`),
});

export const updateGrantsOfAppEnded = statement({
  name: 'update_grants_of_app_ended',
  parameters: { appId: 'text' },
  returns: many<EndedGrantRow>(),
  sql: ({ appId }) => endGrantsWhere(`app_id = ${appId}`),
});

/** Locks them in the order of their identifiers, so that two transactions that end some of the same never deadlock. */
function endGrantsWhere(condition: string): string {
  return `
    with living as materialized (
      select organization_id, id from oauth_grants where ${condition} and ended_at is null
      order by id for no key update
    )
    update oauth_grants g set ended_at = n.t, updated_at = n.t
    from living l, (select clock_timestamp() as t) n
    where g.organization_id = l.organization_id and g.id = l.id returning g.id, g.user_id`;
}

/** Revokes every access token of many grants. */
export const updateBearerTokensOfGrantsRevoked = statement({
  name: 'update_bearer_tokens_of_grants_revoked',
  parameters: { grants: arrays({ user_id: 'text', id: 'text' }) },
  sql: ({ grants }) => `
    update bearer_tokens b set
      revoked_at = clock_timestamp(), expires_at = coalesce(b.expires_at, clock_timestamp())
    from ${grants}
    where b.user_id = grants.user_id and b.source_id = grants.id and b.kind = 'oauth' and b.revoked_at is null`,
});

/** Deletes the authorization server's data of many grants: codes and refresh tokens. */
export const deleteArtifactsOfGrants = statement({
  name: 'delete_artifacts_of_grants',
  parameters: { grantIds: 'text[]' },
  sql: ({ grantIds }) => `delete from oauth_artifacts where grant_key = any(${grantIds})`,
});

/** Deletes all the authorization server's data of a user, including browser logins. */
export const deleteArtifactsOfUser = statement({
  name: 'delete_artifacts_of_user',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `delete from oauth_artifacts where user_id = ${userId}`,
});

/** The grant of each refresh token, valid or not; undefined for unknown tokens. */
export async function findGrantsByRefreshTokens(
  database: Queries,
  hashes: readonly Buffer[],
): Promise<Array<GrantOfToken | undefined>> {
  const rows = await listGrantsByRefreshTokens(database, { hashes });
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return hashes.map((_hash, index) => {
    const row = byPosition.get(index + 1);
    return row && { id: row.id, userId: row.user_id, organizationId: row.organization_id };
  });
}

const listGrantsByRefreshTokens = statement({
  name: 'list_grants_by_refresh_tokens',
  parameters: { hashes: 'bytea[]' },
  returns: many<{ position: number; id: string; user_id: string; organization_id: string }>(),
  sql: ({ hashes }) => `
    with asked as materialized (
      select token_hash, position::int from unnest(${hashes}) with ordinality as a (token_hash, position)
    )
    select a.position, g.id, g.user_id, g.organization_id
    from asked a join oauth_artifacts t on t.model = 'RefreshToken' and t.id_hash = a.token_hash
    join oauth_grants g on g.id = t.grant_key`,
});

/** Deletes at most `limit` grants that ended before this time; counts them. Each process takes rows that no other holds. */
export const deleteForgottenGrants = statement({
  name: 'delete_forgotten_grants',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from oauth_grants where id = any(array(
      select id from oauth_grants where ended_at < ${before}
      order by ended_at limit ${limit} for update skip locked
    ))`,
});
