import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { presentInvitation } from './present-invitation.ts';
import { revokeInvitationsByInviter } from './queries.ts';

/**
 * Ends the invitations that wait for an answer and were sent by a user who may invite no more: what they handed out while
 * they could must not let anybody in afterwards. The caller holds the lock of the actor's organization.
 */
export async function revokeInvitationsOf(tx: Queries, actor: AuditActor, userId: string): Promise<void> {
  for (const revoked of await revokeInvitationsByInviter(tx, actor.organizationId, userId)) {
    const after = presentInvitation(revoked);
    await recordAudit(tx, actor, {
      action: 'invitation.revoked',
      targetType: 'invitation',
      targetId: revoked.id,
      before: { ...after, status: 'pending' },
      after: { ...after },
    });
  }
}
