import { type AuthorizedContext, type ListPage, notFound, type PageRequest, toPage } from '../http/index.ts';
import { findOwnOrganization, listOwnOrganizations, type OwnOrganizationRow } from './organization-queries.ts';
import { presentOrganization } from './present-organization.ts';
import type { Organization } from './schemas.ts';

/** A page of the caller's organizations. A token that is not a login's stays in its own. */
export async function readOrganizations(
  context: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<Organization>> {
  const { userId, organizationId, tokenKind } = context.principal;
  const only = tokenKind === 'session' ? undefined : organizationId;
  const rows = await listOwnOrganizations(context.database, userId, only, page);
  return toPage(rows, page, (row) => ({ value: sortValue(row, page.sort), id: row.id }), present);
}

/** The organization of the request, as the caller sees it. */
export async function readOrganization({ database, principal }: AuthorizedContext): Promise<Organization> {
  const row = await findOwnOrganization(database, principal.organizationId, principal.userId);
  if (row === undefined) {
    throw notFound('organization');
  }
  return present(row);
}

function present(row: OwnOrganizationRow): Organization {
  return presentOrganization(row, row.role);
}

function sortValue(row: OwnOrganizationRow, sort: string): string {
  return sort === 'name' ? row.name : row.created_at.toISOString();
}
