import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { lockAsAdmin } from '../memberships/lock-as-admin.ts';
import { presentInvitation } from './present-invitation.ts';
import { findInvitation, updateInvitationRevoked } from './queries.ts';

/**
 * Revokes a pending invitation of the request's organization. Throws `conflict` if it was already accepted, `not_found` if it
 * was revoked or has expired.
 */
export async function revokeInvitation(context: AuthorizedContext, id: string): Promise<void> {
  const { organizationId } = context.principal;
  await context.database.transaction(async (tx) => {
    await lockAsAdmin(tx, context.principal);
    const before = await findInvitation(tx, { organizationId, id });
    const revoked = await updateInvitationRevoked(tx, { organizationId, id });
    if (before === undefined || revoked === undefined) {
      throw before?.status === 'accepted'
        ? httpError('conflict', 'The invitation was already accepted. Remove the member instead.')
        : notFound('invitation');
    }
    await recordAudit(tx, actorOf(context), {
      action: 'invitation.revoked',
      targetType: 'invitation',
      targetId: id,
      before: { ...presentInvitation(before) },
      after: { ...presentInvitation(revoked) },
    });
  });
}
