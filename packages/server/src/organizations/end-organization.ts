import { type AuditActor, recordAudit } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import { announcement, type Outbox } from '../events/index.ts';
import { ORG_DELETED } from './events.ts';
import { updateOpenInvitationsRevoked } from './invitations/queries.ts';
import { deleteMemberships } from './memberships/queries.ts';
import { type OrganizationRow, updateOrganizationDeleted } from './organization-queries.ts';
import { auditedContent } from './present-organization.ts';

/**
 * Ends an organization, whose lock the caller holds. Memberships, invitations and tokens end immediately; everything
 * else is erased in the background (`erase-organizations.ts`).
 */
export async function endOrganization(
  tx: Queries,
  { outbox }: { outbox: Outbox },
  organization: OrganizationRow,
  actor: AuditActor,
): Promise<void> {
  const { id: organizationId, clock_offset_ms: clockOffsetMs } = organization;
  await updateOpenInvitationsRevoked(tx, { organizationId });
  await deleteMemberships(tx, { organizationId });
  await updateOrganizationDeleted(tx, { organizationId });
  await recordAudit(tx, actor, {
    action: 'organization.deleted',
    targetType: 'organization',
    targetId: organizationId,
    before: { ...auditedContent(organization), member_count: organization.member_count },
  });
  await outbox.announce(tx, organizationId, clockOffsetMs, [
    announcement(ORG_DELETED, { organization_id: organizationId }),
  ]);
}
