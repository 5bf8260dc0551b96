import { sql } from 'kysely';
import { build, type Queries, type Statement } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';

/** A login that lives: at the API, with the expiry of its present refresh token, or of a browser at the authorization server. */
export interface OwnLoginRow {
  id: string;
  kind: OwnLoginKind;
  /** Null for a browser's, which acts in none. */
  organization_id: string | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  client_address: string | null;
  user_agent: string | null;
}

export type OwnLoginKind = 'api' | 'browser';

/**
 * A page of a user's logins that can still be gone on with, sorted by `created_at`; one row more where there is more. Each
 * of the two kinds is read by its own index, and no further than a page.
 */
export async function listLiveLogins(database: Queries, userId: string, page: PageRequest): Promise<OwnLoginRow[]> {
  const apiLogins = build.selectFrom(selectApiLogins(userId, page).as('api')).selectAll();
  const browserLogins = build.selectFrom(selectBrowserLogins(userId, page).as('browser')).selectAll();
  return database.run(
    apiLogins
      .unionAll(browserLogins)
      .orderBy(inOrder(page, 'created_at', 'id'))
      .limit(page.limit + 1)
      .compile(),
  );
}

/** Ends a browser's login and the interactions that were begun with it; answers false when it is over, or another's. */
export async function deleteBrowserLogin(tx: Queries, userId: string, id: string): Promise<boolean> {
  return (await tx.query(DELETE_BROWSER_LOGIN, [userId, id])).length > 0;
}

function selectApiLogins(userId: string, page: PageRequest) {
  return (
    build
      .selectFrom('login_sessions as l')
      // Each login has one refresh token that is not used, and none of them outlives its login.
      .innerJoin('refresh_tokens as r', (join) =>
        join
          .onRef('r.user_id', '=', 'l.user_id')
          .onRef('r.login_session_id', '=', 'l.id')
          .on('r.used_at', 'is', null)
          .on('r.expires_at', '>', sql<Date>`clock_timestamp()`),
      )
      .where('l.user_id', '=', userId)
      .where('l.ended_at', 'is', null)
      .where(createdWithin(page, 'l.created_at'))
      .where(afterCursor(page, 'l.created_at', 'l.id'))
      .select(['l.id', sql<OwnLoginKind>`'api'`.as('kind')])
      .select(sql<string | null>`l.organization_id`.as('organization_id'))
      .select(['l.created_at', 'l.last_seen_at', 'r.expires_at', 'l.client_address', 'l.user_agent'])
      .orderBy(inOrder(page, 'l.created_at', 'l.id'))
      .limit(page.limit + 1)
  );
}

function selectBrowserLogins(userId: string, page: PageRequest) {
  return build
    .selectFrom('oauth_artifacts as a')
    .where('a.user_id', '=', userId)
    .where('a.public_id', 'is not', null)
    .where('a.expires_at', '>', sql<Date>`clock_timestamp()`)
    .where(createdWithin(page, 'a.created_at'))
    .where(afterCursor(page, 'a.created_at', 'a.public_id'))
    .select([sql<string>`a.public_id`.as('id'), sql<OwnLoginKind>`'browser'`.as('kind')])
    .select(sql<string | null>`null::text`.as('organization_id'))
    .select(['a.created_at', sql<Date>`a.last_seen_at`.as('last_seen_at'), 'a.expires_at'])
    .select(['a.client_address', 'a.user_agent'])
    .orderBy(inOrder(page, 'a.created_at', 'a.public_id'))
    .limit(page.limit + 1);
}

function createdWithin({ filters }: PageRequest, column: string) {
  const { created_after: after, created_before: before } = filters;
  const isAfter = after === undefined ? sql`true` : sql`${sql.ref(column)} > ${after}::timestamptz`;
  const isBefore = before === undefined ? sql`true` : sql`${sql.ref(column)} < ${before}::timestamptz`;
  return sql<boolean>`${isAfter} and ${isBefore}`;
}

const DELETE_BROWSER_LOGIN: Statement<{ model: string }> = {
  name: 'delete_browser_login',
  text: `with gone as (
      delete from oauth_artifacts where user_id = $1 and public_id = $2 and expires_at > clock_timestamp()
      returning model, uid_hash
    ), begun as (
      delete from oauth_artifacts where model = 'Interaction' and uid_hash = any(array(select uid_hash from gone))
    )
    select model from gone`,
};
