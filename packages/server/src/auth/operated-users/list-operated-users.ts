import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { listUsersOfAll } from '../../users/index.ts';
import { presentUsers } from './present-users.ts';
import type { OperatedUser } from './schemas.ts';

/** A page of all users. `query` is an ID, or the beginning of an address or a name. */
export async function listOperatedUsers(
  { database }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<OperatedUser>> {
  const { items, next } = await listUsersOfAll(database, page);
  return { items: await presentUsers(database, items), next };
}
