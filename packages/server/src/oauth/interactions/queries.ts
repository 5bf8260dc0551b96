import { count, one, statement } from '../../database/index.ts';

/** The database's time in seconds since 1970, to the millisecond. */
export const findDatabaseSeconds = statement({
  name: 'find_database_seconds',
  returns: one<{ seconds: number }>(),
  sql: () => 'select extract(epoch from clock_timestamp()::timestamptz(3))::float8 as seconds',
});

/** Locks a browser's login until the transaction ends, unless it has ended, for example by a password change. */
export const lockBrowserLogin = statement({
  name: 'lock_browser_login',
  parameters: { userId: 'text', uidHash: 'bytea' },
  returns: count(),
  sql: ({ userId, uidHash }) => `
    select model from oauth_artifacts
    where model = 'Session' and uid_hash = ${uidHash} and user_id = ${userId} and expires_at > clock_timestamp()
    for update`,
});
