import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import { ORG_MEMBER_REMOVED } from '../events.ts';
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of.ts';
import type { OrganizationRow } from '../organization-queries.ts';
import type { MemberTools } from './member-tools.ts';
import { presentMember } from './present-member.ts';
import { deleteMembership, type MemberRow } from './queries.ts';

/** Ends a membership of an organization whose lock is held, with the invitations that the member sent. */
export async function endMembership(
  tx: Queries,
  { outbox, baseUrl }: MemberTools,
  organization: Pick<OrganizationRow, 'id' | 'clock_offset_ms'>,
  row: MemberRow,
  actor: AuditActor & { userId: string },
): Promise<void> {
  await deleteMembership(tx, organization.id, row.user_id);
  const member = presentMember(row, baseUrl);
  await outbox.announce(tx, organization.id, organization.clock_offset_ms, [
    announcement(ORG_MEMBER_REMOVED, { ...member, removed_by: actor.userId }),
  ]);
  await recordAudit(tx, actor, {
    action: row.user_id === actor.userId ? 'member.left' : 'member.removed',
    targetType: 'member',
    targetId: row.user_id,
    before: { ...member },
  });
  await revokeInvitationsOf(tx, actor, row.user_id);
}
