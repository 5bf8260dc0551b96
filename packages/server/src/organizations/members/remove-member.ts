import { actorOf, recordAudit } from '../../audit/index.ts';
import { announcement } from '../../events/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { lastAdmin } from '../errors.ts';
import { ORG_MEMBER_REMOVED } from '../events.ts';
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of.ts';
import { lockAsAdmin } from '../lock-as-admin.ts';
import { lockLiveOrganization } from '../lock-live-organization.ts';
import type { MemberTools } from './member-tools.ts';
import { presentMember } from './present-member.ts';
import { deleteMembership, hasOtherAdmin } from './queries.ts';
import { requireMember } from './require-member.ts';

/**
 * Removes a member of the request's organization, who may be the caller: then they leave. Their logins and tokens reach
 * it no more at their next request, and their open invitations end. Throws `conflict` when it would be left without an
 * admin.
 */
export async function removeMember(
  context: AuthorizedContext,
  { outbox, baseUrl }: MemberTools,
  userId: string,
): Promise<void> {
  const { organizationId, userId: removedBy } = context.principal;
  await context.database.transaction(async (tx) => {
    const isLeaving = userId === removedBy;
    const organization = isLeaving
      ? await lockLiveOrganization(tx, organizationId)
      : (await lockAsAdmin(tx, context.principal)).organization;
    const row = await requireMember(tx, organizationId, userId);
    if (row.role === 'admin' && !(await hasOtherAdmin(tx, organizationId, userId))) {
      throw lastAdmin();
    }
    await deleteMembership(tx, organizationId, userId);
    const member = presentMember(row, baseUrl);
    await outbox.announce(tx, organizationId, organization.clock_offset_ms, [
      announcement(ORG_MEMBER_REMOVED, { ...member, removed_by: removedBy }),
    ]);
    await recordAudit(tx, actorOf(context), {
      action: isLeaving ? 'member.left' : 'member.removed',
      targetType: 'member',
      targetId: userId,
      before: { ...member },
    });
    await revokeInvitationsOf(tx, actorOf(context), userId);
  });
}
