import type { ErasedPerson, Queries, Statement } from '../database/index.ts';

/** A user who deleted the account, and when. */
export interface DeletedUser extends ErasedPerson {
  deletedAt: Date;
}

/**
 * Ends the account of a user whose row is locked: name, picture and password go at once and the address is free. The old one
 * is kept until everything that names it is erased. Its replacement is not an address, so nobody can log in with it.
 */
export async function endAccount(tx: Queries, userId: string, at: Date): Promise<void> {
  await tx.query(END_ACCOUNT, [userId, at]);
}

/** The next `limit` users whose accounts were deleted, the oldest deletion first. */
export async function listDeletedUsers(
  database: Queries,
  after: DeletedUser | undefined,
  limit: number,
): Promise<DeletedUser[]> {
  const values = [after?.deletedAt ?? '-infinity', after?.userId ?? '', limit];
  const rows = await database.query(LIST_DELETED_USERS, values);
  return rows.map(({ id, erased_email: email, deleted_at: deletedAt }) => ({ userId: id, email, deletedAt }));
}

/** Deletes the row of a deleted user; it fails while another row refers to it. */
export async function deleteUser(database: Queries, userId: string): Promise<void> {
  await database.query(DELETE_USER, [userId]);
}

/** The next users who registered before `before`, never showed that the address is theirs, and did nothing since. */
export async function listUnverifiedUsers(
  database: Queries,
  { before, after, limit }: { before: Date; after: UnverifiedUser | undefined; limit: number },
): Promise<UnverifiedUser[]> {
  return database.query(LIST_UNVERIFIED_USERS, [after?.created_at ?? '-infinity', after?.id ?? '', before, limit]);
}

export interface UnverifiedUser {
  id: string;
  created_at: Date;
}

const END_ACCOUNT: Statement<never> = {
  name: 'end_account',
  text: `update users set erased_email = email, email = id, name = 'Deleted user', avatar_url = null, password_hash = '',
      failed_logins = 0, locked_until = null, lock_told_until = null, email_verified_at = null,
      password_changed_at = null, deleted_at = $2, updated_at = $2
    where id = $1 and deleted_at is null`,
};

const LIST_DELETED_USERS: Statement<{ id: string; erased_email: string; deleted_at: Date }> = {
  name: 'list_deleted_users',
  text: `select id, erased_email, deleted_at from users
    where deleted_at is not null and (deleted_at, id) > ($1, $2) order by deleted_at, id limit $3`,
};

const DELETE_USER: Statement<never> = {
  name: 'delete_user',
  text: 'delete from users where id = $1 and deleted_at is not null',
};

const LIST_UNVERIFIED_USERS: Statement<UnverifiedUser> = {
  name: 'list_unverified_users',
  text: `select id, created_at from users
    where email_verified_at is null and deleted_at is null and (created_at, id) > ($1, $2) and created_at < $3
    order by created_at, id limit $4`,
};
