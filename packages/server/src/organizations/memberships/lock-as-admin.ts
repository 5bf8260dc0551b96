import type { Queries } from '../../database/index.ts';
import { httpError, notFound, type Principal } from '../../http/index.ts';
import { lockOrganization, type OrganizationRow } from '../organization-queries.ts';
import { findMember, type MemberRow } from './queries.ts';

/**
 * The organization of the request, locked until the transaction ends, and the caller, who is an admin of it under that
 * lock. The role was checked when the request arrived, but the transaction that has held the lock since may have
 * changed it: without this second check, an admin who is being demoted could promote themselves again. Staff and
 * operator tokens that act for the organization are not members of it, and cannot give themselves a staff role here.
 * Throws `forbidden`, or `not_found` if the caller is no longer a member.
 */
export async function lockAsAdmin(
  tx: Queries,
  { organizationId, userId, acting }: Principal,
): Promise<{ organization: OrganizationRow; admin: MemberRow | undefined }> {
  const organization = await lockLiveOrganization(tx, organizationId);
  if (acting !== undefined) {
    return { organization, admin: undefined };
  }
  const admin = await findMember(tx, { organizationId, userId });
  if (admin === undefined) {
    throw notFound('organization');
  }
  if (admin.role !== 'admin') {
    throw httpError('forbidden', 'You need the admin role to do this.', { details: { required_role: 'admin' } });
  }
  return { organization, admin };
}

/**
 * The organization, locked until the transaction ends. Every change of its members and invitations begins with this, so
 * that they are serialized across processes. Throws `not_found` if it was deleted.
 */
export async function lockLiveOrganization(tx: Queries, organizationId: string): Promise<OrganizationRow> {
  const organization = await lockOrganization(tx, { organizationId });
  if (organization === undefined) {
    throw notFound('organization');
  }
  return organization;
}
