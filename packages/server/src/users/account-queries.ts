import { count, exists, many, maybeOne, statement } from '../database/index.ts';

/** A user, for account changes in the auth room. */
export interface AccountRow {
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  password_hash: string;
  is_verified: boolean;
}

/** A user's name and picture. */
export interface ProfileRow {
  name: string;
  avatar_url: string | null;
}

const ACCOUNT = 'id, email, name, avatar_url, password_hash, email_verified_at is not null as is_verified';

/** Whether anyone has registered. */
export const hasUsers = statement({
  name: 'has_users',
  returns: exists(),
  sql: () => 'select id from users limit 1',
});

export const findUserById = statement({
  name: 'find_user_by_id',
  parameters: { userId: 'text' },
  returns: maybeOne<AccountRow>(),
  sql: ({ userId }) => `select ${ACCOUNT} from users where id = ${userId} and deleted_at is null`,
});

/** The addresses of these users, at most a page of them. */
export const listUserEmails = statement({
  name: 'list_user_emails',
  parameters: { userIds: 'text[]' },
  returns: many<{ id: string; email: string }>(),
  sql: ({ userIds }) => `select id, email from users where id = any(${userIds}) and deleted_at is null`,
});

/** Locks a user until the transaction ends: other changes to this account wait. */
export const lockUserById = statement({
  name: 'lock_user_by_id',
  parameters: { userId: 'text' },
  returns: maybeOne<AccountRow>(),
  sql: ({ userId }) => `select ${ACCOUNT} from users where id = ${userId} and deleted_at is null for no key update`,
});

/** Locks the users with these addresses, normalized by `parseEmail`, in the order of the addresses. */
export const lockUsersByEmail = statement({
  name: 'lock_users_by_email',
  parameters: { emails: 'text[]' },
  returns: many<AccountRow>(),
  sql: ({ emails }) => `select ${ACCOUNT} from users where email = any(${emails}) order by email for no key update`,
});

export const updateUserProfile = statement({
  name: 'update_user_profile',
  parameters: { userId: 'text', name: 'text', avatarUrl: 'text | null' },
  sql: ({ userId, name, avatarUrl }) => `
    update users set name = ${name}, avatar_url = ${avatarUrl}, updated_at = clock_timestamp() where id = ${userId}`,
});

/**
 * Replaces the checked hash, and resets the count of wrong passwords. Changes nothing if the hash has changed or the
 * account is locked.
 */
export const updatePassword = statement({
  name: 'update_password',
  parameters: { userId: 'text', checkedHash: 'text', newHash: 'text' },
  returns: count(),
  sql: ({ userId, checkedHash, newHash }) => `
    update users set password_hash = ${newHash}, password_changed_at = clock_timestamp(), failed_logins = 0,
      locked_until = null, updated_at = clock_timestamp()
    where id = ${userId} and password_hash = ${checkedHash}
      and (locked_until is null or locked_until <= clock_timestamp())`,
});

/** Sets a password for a user who has proved access to their mailbox: verifies the address and unlocks the account. */
export const updateForgottenPassword = statement({
  name: 'update_forgotten_password',
  parameters: { userId: 'text', newHash: 'text' },
  sql: ({ userId, newHash }) => `
    update users set password_hash = ${newHash}, password_changed_at = clock_timestamp(), failed_logins = 0,
      locked_until = null, email_verified_at = coalesce(email_verified_at, clock_timestamp()),
      updated_at = clock_timestamp()
    where id = ${userId}`,
});

/** Marks a user's address as verified, unless it is already. */
export const updateEmailVerified = statement({
  name: 'update_email_verified',
  parameters: { userId: 'text' },
  returns: count(),
  sql: ({ userId }) => `
    update users set email_verified_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = ${userId} and email_verified_at is null`,
});
