import type { AuditActor } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import { httpError } from '../http/index.ts';
import type { DeletionTools } from './delete-organization.ts';
import { endOrganization } from './end-organization.ts';
import { lastAdmin } from './errors.ts';
import { endMembership, type MemberTools } from './members/end-membership.ts';
import { findMember, findOtherAdmin, listMembershipIds } from './memberships/queries.ts';
import { lockOrganization } from './organization-queries.ts';

/** The dependencies of leaving all organizations. */
export type LeavingTools = DeletionTools & MemberTools;

/**
 * Removes a user, whose lock the caller holds, from all their organizations. Organizations without other members end. Throws
 * `conflict` if the user is the last admin of an organization with other members, or with a live subscription. Returns the
 * organizations.
 */
export async function leaveOrganizations(
  tx: Queries,
  tools: LeavingTools,
  userId: string,
  actor: Omit<AuditActor, 'organizationId' | 'userId'>,
): Promise<string[]> {
  const organizationIds = await listMembershipIds(tx, userId);
  // In key order, so that two users who leave the same organizations cannot deadlock.
  for (const organizationId of organizationIds) {
    await leaveOrganization(tx, tools, organizationId, { ...actor, organizationId, userId });
  }
  return organizationIds;
}

async function leaveOrganization(
  tx: Queries,
  tools: LeavingTools,
  organizationId: string,
  actor: AuditActor & { userId: string },
): Promise<void> {
  const organization = await lockOrganization(tx, { organizationId });
  const row = await findMember(tx, { organizationId, userId: actor.userId });
  if (organization === undefined || row === undefined) {
    return;
  }
  if (organization.member_count <= 1) {
    if (await tools.hasLiveBilling(tx, organizationId)) {
      throw httpError(
        'conflict',
        `Your organization ${organizationId} has a live subscription or a payment in progress. Cancel the subscription first.`,
      );
    }
    await endOrganization(tx, tools, organization, actor);
    return;
  }
  if (row.role === 'admin' && (await findOtherAdmin(tx, { organizationId, userId: actor.userId })) === undefined) {
    throw lastAdmin();
  }
  await endMembership(tx, tools, organization, row, actor);
}
