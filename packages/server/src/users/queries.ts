import type { Queries, Statement } from '../database/index.ts';

/** What a login has to know of a user. */
export interface UserForLogin {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  /** Whether too many wrong passwords or codes locked the account a short while ago. */
  is_locked: boolean;
}

/** A user whose account was locked, for the mail that tells them. */
export interface LockedUser {
  id: string;
  email: string;
  name: string;
  locked_until: Date;
  is_over: boolean;
}

/** Writes a user, or returns false when the email address is taken. */
export async function insertUser(
  tx: Queries,
  user: { id: string; email: string; name: string; passwordHash: string },
): Promise<boolean> {
  return (await tx.query(INSERT_USER, [user.id, user.email, user.name, user.passwordHash])).length > 0;
}

/** The user with this address, as `parseEmail` writes it. */
export async function findUserByEmail(database: Queries, email: string): Promise<UserForLogin | undefined> {
  return (await database.query(FIND_USER_BY_EMAIL, [email]))[0];
}

/** The same by the identifier. */
export async function findUserForLogin(database: Queries, userId: string): Promise<UserForLogin | undefined> {
  return (await database.query(FIND_USER_FOR_LOGIN, [userId]))[0];
}

/**
 * The same, with the row locked until the transaction ends: another login, count or change of password waits. It is
 * locked before any other row of the user's, so that nobody waits in a circle.
 */
export async function lockUserForLogin(tx: Queries, userId: string): Promise<UserForLogin | undefined> {
  return (await tx.query(LOCK_USER_FOR_LOGIN, [userId]))[0];
}

/**
 * Counts a wrong password or code and locks the account at the tenth in a row. Attempts during a lock count nothing, or
 * else a stranger could keep an account locked for ever. An unknown address is asked for all the same: it takes equally long.
 */
export async function countFailedLogin(database: Queries, email: string): Promise<void> {
  await database.query(COUNT_FAILED_LOGIN, [email, FAILED_LOGINS_ALLOWED, LOCK_SECONDS]);
}

/** Sets the count of failed logins to zero. The caller holds the user's row and found the account not locked. */
export async function recordLogin(tx: Queries, userId: string): Promise<void> {
  await tx.query(RECORD_LOGIN, [userId]);
}

/** Replaces a password's hash by another one of the same password. The caller holds the user's row. */
export async function updatePasswordHash(tx: Queries, userId: string, hash: string): Promise<void> {
  await tx.query(UPDATE_PASSWORD_HASH, [userId, hash]);
}

/** Takes locks that their owners have not been told of, at most `limit`; each is given once. */
export async function takeLocksToTell(tx: Queries, limit: number): Promise<LockedUser[]> {
  return tx.query(TAKE_LOCKS_TO_TELL, [limit]);
}

const FAILED_LOGINS_ALLOWED = 10;
const LOCK_SECONDS = 15 * 60;

const INSERT_USER: Statement<{ id: string }> = {
  name: 'insert_user',
  text: `insert into users (id, email, name, password_hash, created_at, updated_at)
    select $1, $2, $3, $4, n.t, n.t from (select clock_timestamp() as t) n
    on conflict (email) do nothing returning id`,
};

const FIND_USER_BY_EMAIL: Statement<UserForLogin> = {
  name: 'find_user_by_email',
  text: `select id, email, name, password_hash, coalesce(locked_until > clock_timestamp(), false) as is_locked
    from users where email = $1`,
};

const FIND_USER_FOR_LOGIN: Statement<UserForLogin> = {
  name: 'find_user_for_login',
  text: `select id, email, name, password_hash, coalesce(locked_until > clock_timestamp(), false) as is_locked
    from users where id = $1 and deleted_at is null`,
};

/** Not `for update`: rows that refer to the user can be written meanwhile. */
const LOCK_USER_FOR_LOGIN: Statement<UserForLogin> = {
  name: 'lock_user_for_login',
  text: `select id, email, name, password_hash, coalesce(locked_until > clock_timestamp(), false) as is_locked
    from users where id = $1 and deleted_at is null for no key update`,
};

/** Setting the lock sets the count to zero, so that ten more are needed once the lock is over. */
const COUNT_FAILED_LOGIN: Statement<never> = {
  name: 'count_failed_login',
  text: `update users set
      failed_logins = case when failed_logins + 1 >= $2 then 0 else failed_logins + 1 end,
      locked_until = case when failed_logins + 1 >= $2
        then clock_timestamp() + $3::integer * interval '1 second' end
    where email = $1 and (locked_until is null or locked_until <= clock_timestamp())`,
};

const RECORD_LOGIN: Statement<never> = {
  name: 'record_login',
  text: 'update users set failed_logins = 0, locked_until = null where id = $1',
};

const UPDATE_PASSWORD_HASH: Statement<never> = {
  name: 'update_password_hash',
  text: 'update users set password_hash = $2 where id = $1',
};

const TAKE_LOCKS_TO_TELL: Statement<LockedUser> = {
  name: 'take_locks_to_tell',
  text: `update users set lock_told_until = locked_until where id = any(array(
      select id from users where locked_until is not null and locked_until is distinct from lock_told_until
      order by locked_until limit $1 for no key update skip locked
    )) and locked_until is distinct from lock_told_until
    returning id, email, name, locked_until, locked_until <= clock_timestamp() as is_over`,
};
