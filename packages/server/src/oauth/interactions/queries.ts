import type { Queries, Statement } from '../../database/index.ts';
import type { Role } from '../../http/index.ts';
import { hashToken } from '../../security/index.ts';

/** An organization that a user may let an app into. */
export interface HomeRow {
  id: string;
  name: string;
  role: Role;
}

/** A user's organizations, the one they have been in longest first; a hundred at most, as many as a page can show. */
export async function findHomes(database: Queries, userId: string): Promise<HomeRow[]> {
  return database.query(FIND_HOMES, [userId]);
}

const FIND_HOMES: Statement<HomeRow> = {
  name: 'find_homes',
  text: `select o.id, o.name, m.role
    from memberships m join organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = $1 order by m.created_at, m.organization_id limit 100`,
};

/** The database's time in seconds since 1970, to the millisecond. */
export async function readDatabaseSeconds(tx: Queries): Promise<number> {
  return (await tx.query(READ_DATABASE_SECONDS, []))[0]?.seconds ?? 0;
}

/** Holds a browser's login until the transaction is over; returns false when it has ended, as by a changed password. */
export async function lockBrowserLogin(tx: Queries, userId: string, sessionUid: string): Promise<boolean> {
  return (await tx.query(LOCK_BROWSER_LOGIN, [hashToken(sessionUid), userId])).length > 0;
}

const READ_DATABASE_SECONDS: Statement<{ seconds: number }> = {
  name: 'read_database_seconds',
  text: 'select extract(epoch from clock_timestamp()::timestamptz(3))::float8 as seconds',
};

const LOCK_BROWSER_LOGIN: Statement<{ model: string }> = {
  name: 'lock_browser_login',
  text: `select model from oauth_artifacts
    where model = 'Session' and uid_hash = $1 and user_id = $2 and expires_at > clock_timestamp() for update`,
};
