import { isForeignKeyViolation, type PersonErasure, type Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { type DeletedUser, deleteUser, listDeletedUsers } from '../../users/index.ts';

/** Erases in portions what deleted accounts left, in every room; and their rows when nothing refers to them any more. */
export function eraseUsersJob(database: Queries, erasures: readonly PersonErasure[]): Job {
  return {
    name: 'auth.erase-users',
    everyMs: 5_000,
    run: () => eraseUsers(database, erasures),
  };
}

/** Makes one pass over all deleted users, a portion of each place; returns whether there is more. */
async function eraseUsers(database: Queries, erasures: readonly PersonErasure[]): Promise<boolean> {
  let hasMore = false;
  let after: DeletedUser | undefined;
  do {
    const users = await listDeletedUsers(database, after, USERS);
    for (const user of users) {
      hasMore = (await eraseUser(database, erasures, user)) || hasMore;
    }
    after = users.length < USERS ? undefined : users.at(-1);
  } while (after !== undefined);
  return hasMore;
}

async function eraseUser(database: Queries, erasures: readonly PersonErasure[], user: DeletedUser): Promise<boolean> {
  let erased = 0;
  for (const { erase } of erasures) {
    erased += await erase(database, user, PORTION);
  }
  if (erased === 0) {
    await deleteRow(database, user.userId);
  }
  return erased > 0;
}

/** Data of their organization that is not erased yet may refer to them: then the row is deleted on a later pass. */
async function deleteRow(database: Queries, userId: string): Promise<void> {
  try {
    await deleteUser(database, userId);
  } catch (error) {
    if (!isForeignKeyViolation(error)) {
      throw error;
    }
  }
}

const USERS = 100;
const PORTION = 500;
