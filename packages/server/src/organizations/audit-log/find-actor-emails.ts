import type { AuditEntryRow } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { listUserEmails } from '../../users/index.ts';

/** The current addresses of actors, by user: the log does not keep an erased address. */
export async function findActorEmails(
  database: Queries,
  rows: readonly AuditEntryRow[],
): Promise<ReadonlyMap<string, string>> {
  const userIds = new Set(rows.flatMap((row) => row.actor_user_id ?? []));
  const users = userIds.size === 0 ? [] : await listUserEmails(database, { userIds: [...userIds] });
  return new Map(users.map((user) => [user.id, user.email]));
}
