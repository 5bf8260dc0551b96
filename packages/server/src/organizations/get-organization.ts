import { type AuthorizedContext, notFound } from '../http/index.ts';
import { findOrganizationAsAdmin, findOwnOrganization } from './organization-queries.ts';
import { presentOrganization } from './present-organization.ts';
import type { Organization } from './schemas.ts';

/** The organization of the request, as the caller sees it. */
export async function getOrganization({ database, principal }: AuthorizedContext): Promise<Organization> {
  const row =
    principal.acting === undefined
      ? await findOwnOrganization(database, principal)
      : await findOrganizationAsAdmin(database, principal);
  if (row === undefined) {
    throw notFound('organization');
  }
  return presentOrganization(row, row.role);
}
