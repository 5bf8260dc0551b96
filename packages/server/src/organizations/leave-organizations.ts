import type { AuditActor } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import { httpError } from '../http/index.ts';
import type { DeletionDeps } from './delete-organization.ts';
import { endOrganization } from './end-organization.ts';
import { lastAdmin } from './errors.ts';
import { endMembership } from './members/end-membership.ts';
import type { MemberTools } from './members/member-tools.ts';
import { findMember, hasOtherAdmin } from './members/queries.ts';
import { lockOrganization } from './organization-queries.ts';
import { listMembershipIds } from './queries.ts';

/** What leaving every organization needs. */
export type LeavingTools = DeletionDeps & MemberTools;

/**
 * Removes a user whose row is locked from all their organizations; those without other members end. Throws `conflict` if the
 * user is the last admin of an organization with other members or a live subscription. Answers the organizations.
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
  const organization = await lockOrganization(tx, organizationId);
  const row = await findMember(tx, organizationId, actor.userId);
  if (organization === undefined || row === undefined) {
    return;
  }
  if (organization.member_count <= 1) {
    if (await tools.hasLiveBilling(tx, organizationId)) {
      throw httpError(
        'conflict',
        `Your organization ${organizationId} has a live subscription, or a payment under way: cancel it first.`,
      );
    }
    await endOrganization(tx, tools.outbox, organization, actor);
    return;
  }
  if (row.role === 'admin' && !(await hasOtherAdmin(tx, organizationId, actor.userId))) {
    throw lastAdmin();
  }
  await endMembership(tx, tools, organization, row, actor);
}
