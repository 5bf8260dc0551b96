import type { Queries, Statement } from '../database/index.ts';

/** Writes a user's new name to all memberships, which keep a copy of it. Runs in the transaction that renames the user. */
export async function renameMember(tx: Queries, userId: string, name: string): Promise<void> {
  await tx.query(RENAME_MEMBER, [userId, name]);
}

const RENAME_MEMBER: Statement<never> = {
  name: 'rename_member',
  text: 'update memberships set user_name = $2 where user_id = $1 and user_name <> $2',
};
