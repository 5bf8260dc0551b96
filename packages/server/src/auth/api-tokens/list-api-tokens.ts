import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { API_TOKEN_LIST } from './api-token-list.ts';
import { presentApiToken } from './present-api-token.ts';
import type { ApiToken } from './schemas.ts';

/** A page of the API tokens that the user created in the current organization. */
export async function listApiTokens(context: AuthorizedContext, page: PageRequest): Promise<ListPage<ApiToken>> {
  const { organizationId, userId } = context.principal;
  return API_TOKEN_LIST.getPage(context.database, page, { organizationId, userId }, presentApiToken);
}
