import { anyRow, count, defineDueCheck, many, maybeOne, statement } from '../database/index.ts';

/** What a login needs to know about a user. */
export interface UserForLogin {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  /** Whether the account is locked after too many wrong passwords or codes. */
  is_locked: boolean;
}

/** A user whose account was locked, for the mail about it. */
export interface LockedUser {
  id: string;
  email: string;
  name: string;
  locked_until: Date;
  is_over: boolean;
}

const FAILED_LOGINS_ALLOWED = 10;
const LOCK_SECONDS = 15 * 60;

const FOR_LOGIN = 'id, email, name, password_hash, coalesce(locked_until > clock_timestamp(), false) as is_locked';

/** Inserts a user, unless the email address is taken. */
export const insertUser = statement({
  name: 'insert_user',
  parameters: { id: 'text', email: 'text', name: 'text', passwordHash: 'text' },
  returns: count(),
  sql: ({ id, email, name, passwordHash }) => `
    insert into users (id, email, name, password_hash, created_at, updated_at)
    select ${id}, ${email}, ${name}, ${passwordHash}, n.t, n.t from (select clock_timestamp() as t) n
    on conflict (email) do nothing`,
});

/** The user with this address, normalized by `parseEmail`. */
export const findUserByEmail = statement({
  name: 'find_user_by_email',
  parameters: { email: 'text' },
  returns: maybeOne<UserForLogin>(),
  sql: ({ email }) => `select ${FOR_LOGIN} from users where email = ${email}`,
});

export const findUserForLogin = statement({
  name: 'find_user_for_login',
  parameters: { userId: 'text' },
  returns: maybeOne<UserForLogin>(),
  sql: ({ userId }) => `select ${FOR_LOGIN} from users where id = ${userId} and deleted_at is null`,
});

/**
 * Locks a user until the transaction ends: another login, count or password change waits. Lock it before any other row
 * of the user, so that transactions never deadlock. Not `for update`: rows that refer to the user can still be written.
 */
export const lockUserForLogin = statement({
  name: 'lock_user_for_login',
  parameters: { userId: 'text' },
  returns: maybeOne<UserForLogin>(),
  sql: ({ userId }) => `select ${FOR_LOGIN} from users where id = ${userId} and deleted_at is null for no key update`,
});

/**
 * Counts a wrong password or code and locks the account at the tenth in a row. Setting the lock resets the count, so
 * that ten more are needed after the lock. Attempts during a lock do not count; otherwise, a stranger could keep an
 * account locked forever. Call it for an unknown address too, because it takes equally long.
 */
export const updateFailedLogins = statement({
  name: 'update_failed_logins',
  parameters: { email: 'text' },
  sql: ({ email }) => `
    update users set
      failed_logins = case when failed_logins + 1 >= ${FAILED_LOGINS_ALLOWED} then 0 else failed_logins + 1 end,
      locked_until = case when failed_logins + 1 >= ${FAILED_LOGINS_ALLOWED}
        then clock_timestamp() + interval '${LOCK_SECONDS} seconds' end
    where email = ${email} and (locked_until is null or locked_until <= clock_timestamp())`,
});

/** Resets the count of failed logins. The caller holds the user's row and found that the account is not locked. */
export const updateFailedLoginsToZero = statement({
  name: 'update_failed_logins_to_zero',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `update users set failed_logins = 0, locked_until = null where id = ${userId}`,
});

/** Replaces a password's hash by another one of the same password. The caller holds the user's row. */
export const updatePasswordHash = statement({
  name: 'update_password_hash',
  parameters: { userId: 'text', hash: 'text' },
  sql: ({ userId, hash }) => `update users set password_hash = ${hash} where id = ${userId}`,
});

const UNTOLD_LOCKS = `select id from users
      where locked_until is not null and locked_until is distinct from lock_told_until order by locked_until`;

export const lockNoticesWait = defineDueCheck({
  name: 'lock_notices_wait',
  sql: () => anyRow(`${UNTOLD_LOCKS} limit 1`),
});

/** Claims locks whose owners have not been notified, at most `limit`; each is returned once. */
export const claimLockNotices = statement({
  name: 'claim_lock_notices',
  parameters: { limit: 'integer' },
  returns: many<LockedUser>(),
  sql: ({ limit }) => `
    update users set lock_told_until = locked_until where id = any(array(
      ${UNTOLD_LOCKS} limit ${limit} for no key update skip locked
    )) and locked_until is distinct from lock_told_until
    returning id, email, name, locked_until, locked_until <= clock_timestamp() as is_over`,
});
