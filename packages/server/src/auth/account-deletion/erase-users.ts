import { isForeignKeyViolation, type PersonErasure, type Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { type DeletedUserRow, deleteUser, listDeletedUsers } from '../../users/index.ts';

/**
 * Erases the remaining data of deleted accounts in portions, in every room, and then their rows once nothing refers to
 * them.
 */
export function eraseUsersJob(database: Queries, erasures: readonly PersonErasure[]): Job {
  return {
    name: 'auth.erase-users',
    everyMs: 5_000,
    run: () => eraseUsers(database, erasures),
  };
}

/** Makes one pass over all deleted users, and erases a portion in each table; returns whether there is more. */
async function eraseUsers(database: Queries, erasures: readonly PersonErasure[]): Promise<boolean> {
  let hasMore = false;
  let after: DeletedUserRow | undefined;
  do {
    const users = await listDeletedUsers(database, {
      afterTime: after?.deleted_at ?? '-infinity',
      afterId: after?.id ?? '',
      limit: USERS,
    });
    for (const user of users) {
      hasMore = (await eraseUser(database, erasures, user)) || hasMore;
    }
    after = users.length < USERS ? undefined : users.at(-1);
  } while (after !== undefined);
  return hasMore;
}

async function eraseUser(
  database: Queries,
  erasures: readonly PersonErasure[],
  { id: userId, email }: DeletedUserRow,
): Promise<boolean> {
  let erased = 0;
  for (const { erase } of erasures) {
    erased += await erase(database, { userId, email }, PORTION);
  }
  if (erased === 0) {
    await deleteRow(database, userId);
  }
  return erased > 0;
}

/** If data of their organization that is not erased yet refers to the row, a later pass deletes it. */
async function deleteRow(database: Queries, userId: string): Promise<void> {
  try {
    await deleteUser(database, { userId });
  } catch (error) {
    if (!isForeignKeyViolation(error)) {
      throw error;
    }
  }
}

const USERS = 100;
const PORTION = 500;
