import { actorOf, recordAudit } from '../../audit/index.ts';
import { announcement } from '../../events/index.ts';
import { type AuthorizedContext, type Role, userOf } from '../../http/index.ts';
import { lastAdmin } from '../errors.ts';
import { type Member, ORG_MEMBER_ROLE_CHANGED } from '../events.ts';
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of.ts';
import { lockAsAdmin } from '../memberships/lock-as-admin.ts';
import { presentMember } from '../memberships/present-member.ts';
import { findOtherAdmin, updateRole } from '../memberships/queries.ts';
import { requireMember } from '../memberships/require-member.ts';
import type { MemberTools } from './end-membership.ts';

/**
 * Gives a member of the request's organization another role, effective at their next request. Changes nothing if they
 * already have it. Revokes the pending invitations of a member who is no longer an admin. Throws `conflict` if the
 * organization would be left without an admin.
 */
export async function changeRole(
  context: AuthorizedContext,
  { outbox, baseUrl }: MemberTools,
  userId: string,
  role: Role,
): Promise<Member> {
  const { organizationId } = context.principal;
  const changedBy = userOf(context.principal);
  return context.database.transaction(async (tx) => {
    const { organization } = await lockAsAdmin(tx, context.principal);
    const before = await requireMember(tx, organizationId, userId);
    if (before.role === role) {
      return presentMember(before, baseUrl);
    }
    if (before.role === 'admin' && (await findOtherAdmin(tx, { organizationId, userId })) === undefined) {
      throw lastAdmin();
    }
    await updateRole(tx, { organizationId, userId, role });
    const member = presentMember({ ...before, role }, baseUrl);
    await outbox.announce(tx, organizationId, organization.clock_offset_ms, [
      announcement(ORG_MEMBER_ROLE_CHANGED, { ...member, previous_role: before.role, changed_by: changedBy }),
    ]);
    await recordAudit(tx, actorOf(context), {
      action: 'member.role_changed',
      targetType: 'member',
      targetId: userId,
      before: { ...presentMember(before, baseUrl) },
      after: { ...member },
    });
    if (before.role === 'admin') {
      await revokeInvitationsOf(tx, actorOf(context), userId);
    }
    return member;
  });
}
