import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { lockAsAdmin } from '../lock-as-admin.ts';
import { presentInvitation } from './present-invitation.ts';
import { findInvitation, revokeInvitation as revokeInvitationRow } from './queries.ts';

/**
 * Ends an invitation of the request's organization before it is accepted. Throws `conflict` when it was accepted already,
 * `not_found` when it was revoked or has expired.
 */
export async function revokeInvitation(context: AuthorizedContext, id: string): Promise<void> {
  const { organizationId } = context.principal;
  await context.database.transaction(async (tx) => {
    await lockAsAdmin(tx, context.principal);
    const before = await findInvitation(tx, organizationId, id);
    const revoked = await revokeInvitationRow(tx, organizationId, id);
    if (before === undefined || revoked === undefined) {
      throw before?.status === 'accepted'
        ? httpError('conflict', 'The invitation was accepted already: remove the member instead.')
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
