import { actorOf } from '../../audit/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { lastAdmin } from '../errors.ts';
import { lockAsAdmin } from '../lock-as-admin.ts';
import { lockLiveOrganization } from '../lock-live-organization.ts';
import { endMembership } from './end-membership.ts';
import type { MemberTools } from './member-tools.ts';
import { hasOtherAdmin } from './queries.ts';
import { requireMember } from './require-member.ts';

/**
 * Removes a member of the request's organization, who may be the caller: then they leave. Their logins and tokens reach
 * it no more at their next request, and their open invitations end. Throws `conflict` when it would be left without an
 * admin.
 */
export async function removeMember(context: AuthorizedContext, tools: MemberTools, userId: string): Promise<void> {
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
    await endMembership(tx, tools, organization, row, { ...actorOf(context), userId: removedBy });
  });
}
