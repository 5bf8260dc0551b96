import type { Queries, Statement } from '../database/index.ts';

/** What a login has to know of a user. */
export interface UserForLogin {
  id: string;
  email: string;
  name: string;
  password_hash: string;
}

/** Writes a user, or answers false when the e-mail address is taken. */
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

/**
 * Counts a wrong password and locks the account at the tenth in a row. Attempts during a lock count nothing, or else a
 * stranger could keep an account locked for ever. An unknown address is asked for all the same: it takes equally long.
 */
export async function countWrongPassword(database: Queries, email: string): Promise<void> {
  await database.query(COUNT_WRONG_PASSWORD, [email, WRONG_PASSWORDS_ALLOWED, LOCK_SECONDS]);
}

/**
 * Sets the count of wrong passwords to zero and, where `newHash` is given, replaces the hash that was checked.
 * Answers false, and changes nothing, while the account is locked.
 */
export async function recordLogin(
  tx: Queries,
  userId: string,
  checkedHash: string,
  newHash: string | undefined,
): Promise<boolean> {
  return (await tx.query(RECORD_LOGIN, [userId, checkedHash, newHash ?? null])).length > 0;
}

const WRONG_PASSWORDS_ALLOWED = 10;
const LOCK_SECONDS = 15 * 60;

const INSERT_USER: Statement<{ id: string }> = {
  name: 'insert_user',
  text: `insert into users (id, email, name, password_hash, created_at, updated_at)
    select $1, $2, $3, $4, n.t, n.t from (select clock_timestamp() as t) n
    on conflict (email) do nothing returning id`,
};

const FIND_USER_BY_EMAIL: Statement<UserForLogin> = {
  name: 'find_user_by_email',
  text: 'select id, email, name, password_hash from users where email = $1',
};

/** Setting the lock sets the count to zero, so that ten more are needed once the lock is over. */
const COUNT_WRONG_PASSWORD: Statement<never> = {
  name: 'count_wrong_password',
  text: `update users set
      failed_logins = case when failed_logins + 1 >= $2 then 0 else failed_logins + 1 end,
      locked_until = case when failed_logins + 1 >= $2
        then clock_timestamp() + $3::integer * interval '1 second' end
    where email = $1 and (locked_until is null or locked_until <= clock_timestamp())`,
};

/** The hash is replaced only where it is still the one checked: a password changed meanwhile stays changed. */
const RECORD_LOGIN: Statement<{ id: string }> = {
  name: 'record_login',
  text: `update users set
      failed_logins = 0,
      locked_until = null,
      password_hash = case when password_hash = $2 then coalesce($3, password_hash) else password_hash end
    where id = $1 and (locked_until is null or locked_until <= clock_timestamp())
    returning id`,
};
