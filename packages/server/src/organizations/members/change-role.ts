import { actorOf, recordAudit } from '../../audit/index.ts';
import { announcement } from '../../events/index.ts';
import type { AuthorizedContext, Role } from '../../http/index.ts';
import { lastAdmin } from '../errors.ts';
import { type Member, ORG_MEMBER_ROLE_CHANGED } from '../events.ts';
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of.ts';
import { lockAsAdmin } from '../lock-as-admin.ts';
import type { MemberTools } from './member-tools.ts';
import { presentMember } from './present-member.ts';
import { hasOtherAdmin, updateRole } from './queries.ts';
import { requireMember } from './require-member.ts';

/**
 * Gives a member of the request's organization another role, from their next request on. Throws `conflict` when the
 * organization would be left without an admin. The role that they have already changes nothing. The open invitations of
 * whoever is an admin no more end.
 */
export async function changeRole(
  context: AuthorizedContext,
  { outbox, baseUrl }: MemberTools,
  userId: string,
  role: Role,
): Promise<Member> {
  const { organizationId, userId: changedBy } = context.principal;
  return context.database.transaction(async (tx) => {
    const { organization } = await lockAsAdmin(tx, context.principal);
    const before = await requireMember(tx, organizationId, userId);
    if (before.role === role) {
      return presentMember(before, baseUrl);
    }
    if (before.role === 'admin' && !(await hasOtherAdmin(tx, organizationId, userId))) {
      throw lastAdmin();
    }
    await updateRole(tx, organizationId, userId, role);
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
