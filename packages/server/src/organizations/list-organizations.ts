import type { AuthorizedContext, ListPage, PageRequest } from '../http/index.ts';
import { ORGANIZATION_LIST } from './organization-list.ts';
import { presentOrganization } from './present-organization.ts';
import type { Organization } from './schemas.ts';

/** A page of the caller's organizations. A token of another kind only sees its own. */
export async function listOrganizations(
  context: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<Organization>> {
  const { userId, organizationId, tokenKind } = context.principal;
  const only = tokenKind === 'session' ? null : organizationId;
  return ORGANIZATION_LIST.getPage(context.database, page, { userId, only }, (row) =>
    presentOrganization(row, row.role),
  );
}
