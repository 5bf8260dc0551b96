import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { presentInvitation } from './present-invitation.ts';
import { updateInvitationsRevokedByInviter } from './queries.ts';

/**
 * Revokes the pending invitations of a user who may no longer invite, so that no one can join by them afterwards. The
 * caller holds the lock of the actor's organization.
 */
export async function revokeInvitationsOf(tx: Queries, actor: AuditActor, userId: string): Promise<void> {
  for (const revoked of await updateInvitationsRevokedByInviter(tx, { organizationId: actor.organizationId, userId })) {
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
