import { sql } from 'kysely';
import { build, type Queries } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';

/** A login that lives, with the expiry of its present refresh token. */
export interface OwnLoginRow {
  id: string;
  organization_id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  client_address: string | null;
  user_agent: string | null;
}

/** A page of a user's logins that still can be refreshed, sorted by `created_at`; one row more where there is more. */
export async function listLiveLogins(database: Queries, userId: string, page: PageRequest): Promise<OwnLoginRow[]> {
  const { created_after: createdAfter, created_before: createdBefore } = page.filters;
  let query = build
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
    .where('l.ended_at', 'is', null);
  if (createdAfter !== undefined) {
    query = query.where('l.created_at', '>', sql<Date>`${createdAfter}::timestamptz`);
  }
  if (createdBefore !== undefined) {
    query = query.where('l.created_at', '<', sql<Date>`${createdBefore}::timestamptz`);
  }
  return database.run(
    query
      .where(afterCursor(page, 'l.created_at', 'l.id'))
      .select(['l.id', 'l.organization_id', 'l.created_at', 'l.last_seen_at', 'r.expires_at'])
      .select(['l.client_address', 'l.user_agent'])
      .orderBy(inOrder(page, 'l.created_at', 'l.id'))
      .limit(page.limit + 1)
      .compile(),
  );
}
