import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { OPERATED_USER_LIST } from '../../users/index.ts';
import { presentUsers } from './present-users.ts';
import type { OperatedUser } from './schemas.ts';

/** A page of all users. `query` is an ID, or the beginning of an address or a name. */
export async function listOperatedUsers(
  { database }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<OperatedUser>> {
  const { items, next } = await OPERATED_USER_LIST.getPage(database, page, {}, (row) => row);
  return { items: await presentUsers(database, items), next };
}
