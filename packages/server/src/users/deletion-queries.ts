import { many, statement } from '../database/index.ts';

/** A user who deleted the account. */
export interface DeletedUserRow {
  id: string;
  /** The former address of the account. */
  email: string;
  deleted_at: Date;
}

export interface UnverifiedUserRow {
  id: string;
  created_at: Date;
}

/**
 * Ends the account of a user whose row is locked: name, picture and password are deleted immediately and the address
 * becomes free. The old address is kept until everything that refers to it is erased. Its replacement is not an
 * address, so it cannot be used to log in.
 */
export const updateUserDeleted = statement({
  name: 'update_user_deleted',
  parameters: { userId: 'text', at: 'timestamptz' },
  sql: ({ userId, at }) => `
    update users set erased_email = email, email = id, name = 'Deleted user', avatar_url = null, password_hash = '',
      failed_logins = 0, locked_until = null, lock_told_until = null, email_verified_at = null,
      password_changed_at = null, last_login_at = null, deleted_at = ${at}, updated_at = ${at}
    where id = ${userId} and deleted_at is null`,
});

/** The next users whose accounts were deleted, the oldest deletion first, after the given one. */
export const listDeletedUsers = statement({
  name: 'list_deleted_users',
  parameters: { afterTime: 'timestamptz', afterId: 'text', limit: 'integer' },
  returns: many<DeletedUserRow>(),
  sql: ({ afterTime, afterId, limit }) => `
    select id, erased_email as email, deleted_at from users
    where deleted_at is not null and (deleted_at, id) > (${afterTime}, ${afterId})
    order by deleted_at, id limit ${limit}`,
});

/** Deletes the row of a deleted user; it fails while another row refers to it. */
export const deleteUser = statement({
  name: 'delete_user',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `delete from users where id = ${userId} and deleted_at is not null`,
});

/** The next users after the given one who registered before this time and never verified their address. */
export const listUnverifiedUsers = statement({
  name: 'list_unverified_users',
  parameters: { afterTime: 'timestamptz', afterId: 'text', before: 'timestamptz', limit: 'integer' },
  returns: many<UnverifiedUserRow>(),
  sql: ({ afterTime, afterId, before, limit }) => `
    select id, created_at from users
    where email_verified_at is null and deleted_at is null and (created_at, id) > (${afterTime}, ${afterId})
      and created_at < ${before}
    order by created_at, id limit ${limit}`,
});
