import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { listMemberNames } from '../../organizations/index.ts';
import type { Names } from './present-session.ts';

/** The names of users for an admin; undefined for everyone else. */
export async function findNames(
  { database, principal }: Pick<AuthorizedContext, 'database' | 'principal'>,
  rows: readonly Holder[],
): Promise<Names | undefined> {
  return principal.role === 'admin' ? findMemberNames(database, principal.organizationId, rows) : undefined;
}

/**
 * The names of the members of an organization, for its admins and for staff. Users who have left it have no name here:
 * their current name and address must not be shown to it.
 */
export async function findMemberNames(
  database: Queries,
  organizationId: string,
  rows: readonly Holder[],
): Promise<Names> {
  const userIds = [...new Set(rows.flatMap((row) => row.user_id ?? []))];
  const names = userIds.length === 0 ? [] : await listMemberNames(database, { organizationId, userIds });
  return new Map(names.map((name) => [name.id, name]));
}

interface Holder {
  user_id: string | null;
}
