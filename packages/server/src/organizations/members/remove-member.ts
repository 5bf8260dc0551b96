import { actorOf } from '../../audit/index.ts';
import { type AuthorizedContext, userOf } from '../../http/index.ts';
import { lastAdmin } from '../errors.ts';
import { lockAsAdmin, lockLiveOrganization } from '../memberships/lock-as-admin.ts';
import { findOtherAdmin } from '../memberships/queries.ts';
import { requireMember } from '../memberships/require-member.ts';
import { endMembership, type MemberTools } from './end-membership.ts';

/**
 * Removes a member of the request's organization. Callers who remove themselves leave it. Their logins and tokens lose
 * access at the next request, and their pending invitations are revoked. Throws `conflict` if the organization would be
 * left without an admin.
 */
export async function removeMember(context: AuthorizedContext, tools: MemberTools, userId: string): Promise<void> {
  const { organizationId } = context.principal;
  const removedBy = userOf(context.principal);
  await context.database.transaction(async (tx) => {
    const isLeaving = userId === removedBy;
    const organization = isLeaving
      ? await lockLiveOrganization(tx, organizationId)
      : (await lockAsAdmin(tx, context.principal)).organization;
    const row = await requireMember(tx, organizationId, userId);
    if (row.role === 'admin' && (await findOtherAdmin(tx, { organizationId, userId })) === undefined) {
      throw lastAdmin();
    }
    await endMembership(tx, tools, organization, row, actorOf(context));
  });
}
