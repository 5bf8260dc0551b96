import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { GRANT_LIST } from './grant-list.ts';
import { presentGrant } from './present-grant.ts';
import type { OauthGrant } from './schemas.ts';

/** A page of the caller's grants, in all organizations. */
export async function listOwnGrants(context: AuthorizedContext, page: PageRequest): Promise<ListPage<OauthGrant>> {
  const { userId } = context.principal;
  return GRANT_LIST.getPage(context.database, page, { userId }, presentGrant);
}
