import type { Queries } from '../database/index.ts';
import { notFound } from '../http/index.ts';
import { lockOrganization, type OrganizationRow } from './organization-queries.ts';

/**
 * The organization, locked until the transaction ends. Every change of its members and invitations begins with this, so
 * that they happen one after the other, on whatever process. Throws `not_found` when it was deleted.
 */
export async function lockLiveOrganization(tx: Queries, organizationId: string): Promise<OrganizationRow> {
  const organization = await lockOrganization(tx, organizationId);
  if (organization === undefined) {
    throw notFound('organization');
  }
  return organization;
}
