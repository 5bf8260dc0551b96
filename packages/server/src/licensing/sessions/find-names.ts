import type { AuthorizedContext } from '../../http/index.ts';
import { listMemberNames } from '../../organizations/index.ts';
import type { Names } from './present-session.ts';

/**
 * The names of users for an admin; undefined for everyone else. Users who have left the organization have no name here:
 * their current name and address must not be shown to it.
 */
export async function findNames(
  { database, principal }: Pick<AuthorizedContext, 'database' | 'principal'>,
  rows: ReadonlyArray<{ user_id: string | null }>,
): Promise<Names | undefined> {
  if (principal.role !== 'admin') {
    return undefined;
  }
  const userIds = [...new Set(rows.flatMap((row) => row.user_id ?? []))];
  const { organizationId } = principal;
  const names = userIds.length === 0 ? [] : await listMemberNames(database, { organizationId, userIds });
  return new Map(names.map((name) => [name.id, name]));
}
