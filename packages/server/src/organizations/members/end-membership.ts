import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { ORG_MEMBER_REMOVED } from '../events.ts';
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of.ts';
import { presentMember } from '../memberships/present-member.ts';
import { deleteMembership, type MemberRow } from '../memberships/queries.ts';
import type { OrganizationRow } from '../organization-queries.ts';

/** The dependencies of changing members. */
export interface MemberTools {
  outbox: Outbox;
  /** Public address of the environment. */
  baseUrl: string;
}

/** Ends a membership and the invitations that the member sent. The caller holds the organization's lock. */
export async function endMembership(
  tx: Queries,
  { outbox, baseUrl }: MemberTools,
  organization: Pick<OrganizationRow, 'id' | 'clock_offset_ms'>,
  row: MemberRow,
  actor: AuditActor,
): Promise<void> {
  await deleteMembership(tx, { organizationId: organization.id, userId: row.user_id });
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
