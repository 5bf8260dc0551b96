import { type AuditActor, recordAudit } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import { announcement, type Outbox } from '../events/index.ts';
import { ORG_DELETED } from './events.ts';
import { revokeOpenInvitations } from './invitations/queries.ts';
import { deleteOrganizationRow, type OrganizationRow } from './organization-queries.ts';
import { auditedContent } from './present-organization.ts';

/**
 * Ends an organization whose lock is held: its members, invitations and tokens at once, and everything else in the
 * background (`erase-organizations.ts`).
 */
export async function endOrganization(
  tx: Queries,
  outbox: Outbox,
  organization: OrganizationRow,
  actor: AuditActor,
): Promise<void> {
  const { id: organizationId, clock_offset_ms: clockOffsetMs } = organization;
  await revokeOpenInvitations(tx, organizationId);
  await deleteOrganizationRow(tx, organizationId);
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
