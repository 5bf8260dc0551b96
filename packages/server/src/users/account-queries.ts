import type { Queries, Statement } from '../database/index.ts';

/** A user as the room auth needs them to change the account. */
export interface AccountRow {
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  password_hash: string;
  is_verified: boolean;
}

/** What a user is called and looks like. */
export interface ProfileRow {
  name: string;
  avatar_url: string | null;
}

/** A user by their identifier. */
export async function findUserById(database: Queries, userId: string): Promise<AccountRow | undefined> {
  return (await database.query(FIND_USER_BY_ID, [userId]))[0];
}

/** The same, locked until the transaction ends: other changes to this account wait. */
export async function lockUserById(tx: Queries, userId: string): Promise<AccountRow | undefined> {
  return (await tx.query(LOCK_USER_BY_ID, [userId]))[0];
}

/** The users with these addresses, as `parseEmail` writes them, locked in the order of the addresses. */
export async function lockUsersByEmail(tx: Queries, emails: readonly string[]): Promise<AccountRow[]> {
  return tx.query(LOCK_USERS_BY_EMAIL, [emails]);
}

/** Writes a user's name and picture. */
export async function updateProfile(tx: Queries, userId: string, profile: ProfileRow): Promise<void> {
  await tx.query(UPDATE_PROFILE, [userId, profile.name, profile.avatar_url]);
}

/**
 * Replaces the hash that was checked, and sets the count of wrong passwords to zero. Returns false, and changes nothing,
 * when it is another hash by now or the account is locked.
 */
export async function updatePassword(
  tx: Queries,
  userId: string,
  checkedHash: string,
  newHash: string,
): Promise<boolean> {
  return (await tx.query(UPDATE_PASSWORD, [userId, checkedHash, newHash])).length > 0;
}

/**
 * Sets a password for a user who has proved that they read the mails to their address: verifies the address and lifts a
 * lock.
 */
export async function resetPassword(tx: Queries, userId: string, newHash: string): Promise<void> {
  await tx.query(RESET_PASSWORD, [userId, newHash]);
}

/** Marks a user's address as verified; returns false when it was so already. */
export async function markEmailVerified(tx: Queries, userId: string): Promise<boolean> {
  return (await tx.query(MARK_EMAIL_VERIFIED, [userId])).length > 0;
}

const ACCOUNT = 'id, email, name, avatar_url, password_hash, email_verified_at is not null as is_verified';

const FIND_USER_BY_ID: Statement<AccountRow> = {
  name: 'find_user_by_id',
  text: `select ${ACCOUNT} from users where id = $1 and deleted_at is null`,
};

const LOCK_USER_BY_ID: Statement<AccountRow> = {
  name: 'lock_user_by_id',
  text: `select ${ACCOUNT} from users where id = $1 and deleted_at is null for no key update`,
};

const LOCK_USERS_BY_EMAIL: Statement<AccountRow> = {
  name: 'lock_users_by_email',
  text: `select ${ACCOUNT} from users where email = any($1::text[]) order by email for no key update`,
};

const UPDATE_PROFILE: Statement<never> = {
  name: 'update_profile',
  text: 'update users set name = $2, avatar_url = $3, updated_at = clock_timestamp() where id = $1',
};

const UPDATE_PASSWORD: Statement<{ id: string }> = {
  name: 'update_password',
  text: `update users set password_hash = $3, password_changed_at = clock_timestamp(), failed_logins = 0, locked_until = null,
      updated_at = clock_timestamp()
    where id = $1 and password_hash = $2 and (locked_until is null or locked_until <= clock_timestamp())
    returning id`,
};

const RESET_PASSWORD: Statement<never> = {
  name: 'reset_password',
  text: `update users set password_hash = $2, password_changed_at = clock_timestamp(), failed_logins = 0, locked_until = null,
      email_verified_at = coalesce(email_verified_at, clock_timestamp()), updated_at = clock_timestamp()
    where id = $1`,
};

const MARK_EMAIL_VERIFIED: Statement<{ id: string }> = {
  name: 'mark_email_verified',
  text: `update users set email_verified_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = $1 and email_verified_at is null returning id`,
};
