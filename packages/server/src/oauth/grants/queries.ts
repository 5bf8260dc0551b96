import type { GrantOfToken } from '../../auth/index.ts';
import { many, type Queries, type Statement, statement } from '../../database/index.ts';

/** A live grant, with what is needed to write a token for it. */
export interface LiveGrantRow {
  id: string;
  /** Where the tokens act. */
  organization_id: string;
  user_id: string;
  app_id: string;
  /** What the user agreed to and the app may still ask for. */
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
 * Locks the grant against its end until the transaction is over. Undefined when it has ended, when the app or its
 * organization was deleted, or when the user is no member of the grant's organization any more.
 */
export async function lockLiveGrant(tx: Queries, grantId: string): Promise<LiveGrantRow | undefined> {
  return (await tx.query(LOCK_LIVE_GRANT, [grantId]))[0];
}

/** Locks the grant, live or ended, against its end and against new tokens. */
export async function lockGrant(tx: Queries, grantId: string): Promise<LockedGrantRow | undefined> {
  return (await tx.query(LOCK_GRANT, [grantId]))[0];
}

/** Locks a membership against its end and an app against its deletion, in this order; returns false when either is gone. */
export async function lockGrantParties(
  tx: Queries,
  parties: { organizationId: string; userId: string; appId: string },
): Promise<boolean> {
  return (await tx.query(LOCK_GRANT_PARTIES, [parties.appId, parties.organizationId, parties.userId])).length > 0;
}

/** Writes a grant, or adds the scopes to the one that lives. */
export async function upsertGrant(
  tx: Queries,
  grant: { organizationId: string; id: string; userId: string; appId: string; scopes: readonly string[] },
): Promise<{ id: string; scopes: string[] } | undefined> {
  const { organizationId, id, userId, appId, scopes } = grant;
  return (await tx.query(UPSERT_GRANT, [organizationId, id, userId, appId, scopes]))[0];
}

/** A grant of this user that lives. */
export async function findGrantOfUser(database: Queries, userId: string, id: string): Promise<GrantRow | undefined> {
  return (await database.query(FIND_GRANT_OF_USER, [id, userId]))[0];
}

/** Marks one grant as ended; nothing when it has ended before. */
export async function markGrantEnded(tx: Queries, organizationId: string, id: string): Promise<EndedGrantRow[]> {
  return tx.query(MARK_GRANT_ENDED, [organizationId, id]);
}

/** Marks all grants of a user as ended. */
export async function markGrantsOfUserEnded(tx: Queries, userId: string): Promise<EndedGrantRow[]> {
  return tx.query(MARK_GRANTS_OF_USER_ENDED, [userId]);
}

/** Marks all grants of a user in one organization as ended. */
export async function markGrantsOfMemberEnded(
  tx: Queries,
  organizationId: string,
  userId: string,
): Promise<EndedGrantRow[]> {
  return tx.query(MARK_GRANTS_OF_MEMBER_ENDED, [organizationId, userId]);
}

/** Marks all grants to an app as ended. */
export async function markGrantsOfAppEnded(tx: Queries, appId: string): Promise<EndedGrantRow[]> {
  return tx.query(MARK_GRANTS_OF_APP_ENDED, [appId]);
}

/** Ends every access token of many grants. */
export async function revokeBearerTokensOfGrants(tx: Queries, grants: readonly EndedGrantRow[]): Promise<void> {
  await tx.query(REVOKE_BEARER_TOKENS_OF_GRANTS, [grants.map((each) => each.user_id), grants.map((each) => each.id)]);
}

/** Removes what the authorization server keeps of many grants: codes and refresh tokens. */
export async function deleteArtifactsOfGrants(tx: Queries, grants: readonly EndedGrantRow[]): Promise<void> {
  await tx.query(DELETE_ARTIFACTS_OF_GRANTS, [grants.map((each) => each.id)]);
}

/** Removes all that the authorization server keeps of a user, the logins of browsers included. */
export async function deleteArtifactsOfUser(tx: Queries, userId: string): Promise<void> {
  await tx.query(DELETE_ARTIFACTS_OF_USER, [userId]);
}

/** The grant of each refresh token, whether it lives or not; undefined for tokens that are not known. */
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

/** Deletes at most `limit` grants that ended before this time; returns how many. */
export async function deleteForgottenGrants(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_GRANTS, [limit, before])).length;
}

/**
 * Not a shared lock: new sharers overtake a transaction that waits to end the grant, so an app that refreshes without a
 * pause could keep its own grant alive. Tokens of one grant are written one after the other. No organization is named,
 * since the authorization server's library knows only the grant's identifier, which is unique by itself.
 */
const LOCK_LIVE_GRANT: Statement<LiveGrantRow> = {
  name: 'lock_live_grant',
  text: `select g.id, g.organization_id, g.user_id, g.app_id,
      array(select s.scope from unnest(g.scopes) with ordinality as s (scope, place)
        where s.scope = any(a.scopes) order by s.place) as scopes
    from oauth_grants g
    join oauth_apps a on a.id = g.app_id
    join organizations o on o.id = a.organization_id
    join memberships m on m.organization_id = g.organization_id and m.user_id = g.user_id
    where g.id = $1 and g.ended_at is null and a.deleted_at is null and o.deleted_at is null
    for no key update of g`,
};

/** No organization is named, for the reason above. */
const LOCK_GRANT: Statement<LockedGrantRow> = {
  name: 'lock_grant',
  text: 'select id, organization_id from oauth_grants where id = $1 for no key update',
};

const LOCK_GRANT_PARTIES: Statement<{ id: string }> = {
  name: 'lock_grant_parties',
  text: `select a.id from oauth_apps a
    join organizations o on o.id = a.organization_id
    join memberships m on m.organization_id = $2 and m.user_id = $3
    where a.id = $1 and a.deleted_at is null and o.deleted_at is null
    for share of m, a`,
};

/** The scopes that are new come last, so that those agreed to before keep their places. */
const UPSERT_GRANT: Statement<{ id: string; scopes: string[] }> = {
  name: 'upsert_grant',
  text: `insert into oauth_grants (organization_id, id, user_id, app_id, scopes, created_at, updated_at)
    select $1, $2, $3, $4, $5::text[], n.t, n.t from (select clock_timestamp() as t) n
    on conflict (user_id, app_id, organization_id) where ended_at is null do update set
      scopes = oauth_grants.scopes || array(
        select s.scope from unnest(excluded.scopes) with ordinality as s (scope, place)
        where s.scope <> all(oauth_grants.scopes) order by s.place),
      updated_at = clock_timestamp()
    returning id, scopes`,
};

const FIND_GRANT_OF_USER: Statement<GrantRow> = {
  name: 'find_grant_of_user',
  text: `select g.id, g.organization_id, g.app_id, a.name as app_name, g.scopes, g.created_at, g.updated_at
    from oauth_grants g join oauth_apps a on a.id = g.app_id
    where g.id = $1 and g.user_id = $2 and g.ended_at is null`,
};

/** Many at once are locked in the order of their identifiers, so that two who end some of the same do not deadlock. */
const endGrantsWhere = (condition: string): string =>
  `with living as materialized (
      select organization_id, id from oauth_grants where ${condition} and ended_at is null
      order by id for no key update
    )
    update oauth_grants g set ended_at = n.t, updated_at = n.t
    from living l, (select clock_timestamp() as t) n
    where g.organization_id = l.organization_id and g.id = l.id returning g.id, g.user_id`;

const MARK_GRANT_ENDED: Statement<EndedGrantRow> = {
  name: 'mark_grant_ended',
  text: endGrantsWhere('organization_id = $1 and id = $2'),
};

const MARK_GRANTS_OF_USER_ENDED: Statement<EndedGrantRow> = {
  name: 'mark_grants_of_user_ended',
  text: endGrantsWhere('user_id = $1'),
};

const MARK_GRANTS_OF_MEMBER_ENDED: Statement<EndedGrantRow> = {
  name: 'mark_grants_of_member_ended',
  text: endGrantsWhere('organization_id = $1 and user_id = $2'),
};

const MARK_GRANTS_OF_APP_ENDED: Statement<EndedGrantRow> = {
  name: 'mark_grants_of_app_ended',
  text: endGrantsWhere('app_id = $1'),
};

const REVOKE_BEARER_TOKENS_OF_GRANTS: Statement<never> = {
  name: 'revoke_bearer_tokens_of_grants',
  text: `update bearer_tokens b set
      revoked_at = clock_timestamp(), expires_at = coalesce(b.expires_at, clock_timestamp())
    from unnest($1::text[], $2::text[]) as g (user_id, id)
    where b.user_id = g.user_id and b.source_id = g.id and b.kind = 'oauth' and b.revoked_at is null`,
};

const DELETE_ARTIFACTS_OF_GRANTS: Statement<never> = {
  name: 'delete_artifacts_of_grants',
  text: 'delete from oauth_artifacts where grant_key = any($1::text[])',
};

const DELETE_ARTIFACTS_OF_USER: Statement<never> = {
  name: 'delete_artifacts_of_user',
  text: 'delete from oauth_artifacts where user_id = $1',
};

/** Several processes tidy up at once: each takes rows that no other holds. */
const DELETE_FORGOTTEN_GRANTS: Statement<{ id: string }> = {
  name: 'delete_forgotten_grants',
  text: `delete from oauth_grants where id = any(array(
      select id from oauth_grants where ended_at < $2::timestamptz
      order by ended_at limit $1 for update skip locked
    )) returning id`,
};

const listGrantsByRefreshTokens = statement({
  name: 'list_grants_by_refresh_tokens',
  parameters: { hashes: 'bytea[]' },
  returns: many<{ position: number; id: string; user_id: string; organization_id: string }>(),
  sql: ({ hashes }) => `with asked as materialized (
      select token_hash, position::int from unnest(${hashes}) with ordinality as a (token_hash, position)
    )
    select a.position, g.id, g.user_id, g.organization_id
    from asked a join oauth_artifacts t on t.model = 'RefreshToken' and t.id_hash = a.token_hash
    join oauth_grants g on g.id = t.grant_key`,
});
