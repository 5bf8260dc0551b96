import type { Queries } from '../database/index.ts';
import { httpError, notFound, type Principal } from '../http/index.ts';
import { lockLiveOrganization } from './lock-live-organization.ts';
import { findMember, type MemberRow } from './members/queries.ts';
import type { OrganizationRow } from './organization-queries.ts';

/**
 * The organization of the request, locked until the transaction ends, and the caller, who is an admin of it under that
 * lock. Admission asked for the role before, and whoever held the lock since may have taken it away: an admin who is being
 * demoted could give it back to themself. Throws `forbidden`, or `not_found` for whoever is no member any more.
 */
export async function lockAsAdmin(
  tx: Queries,
  { organizationId, userId }: Principal,
): Promise<{ organization: OrganizationRow; admin: MemberRow }> {
  const organization = await lockLiveOrganization(tx, organizationId);
  const admin = await findMember(tx, organizationId, userId);
  if (admin === undefined) {
    throw notFound('organization');
  }
  if (admin.role !== 'admin') {
    throw httpError('forbidden', 'This needs the role admin.', { details: { required_role: 'admin' } });
  }
  return { organization, admin };
}
