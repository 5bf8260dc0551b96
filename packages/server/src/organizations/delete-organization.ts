import { actorOf, recordAudit } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import { announcement, type Outbox } from '../events/index.ts';
import { type AuthorizedContext, httpError } from '../http/index.ts';
import { ORG_DELETED } from './events.ts';
import { revokeOpenInvitations } from './invitations/queries.ts';
import { lockAsAdmin } from './lock-as-admin.ts';
import { deleteOrganizationRow } from './organization-queries.ts';
import { auditedContent } from './present-organization.ts';
import type { OrganizationDeletion } from './schemas.ts';

/** What the deletion of an organization needs. */
export interface DeletionDeps {
  outbox: Outbox;
  /** Whether it has subscriptions or payments under way; from the room that has them, which is above this one. */
  hasLiveBilling(tx: Queries, organizationId: string): Promise<boolean>;
}

/**
 * Deletes the organization of the request. Its members lose it at their next request and its API tokens end with the
 * memberships, as do the tokens of the apps that it owned; the rows stay, since invoices and the audit log refer to them.
 * Throws `validation_failed` when `confirm` is not its name, and `conflict` while a subscription of it lives.
 */
export async function deleteOrganization(
  { outbox, hasLiveBilling }: DeletionDeps,
  context: AuthorizedContext,
  { confirm }: OrganizationDeletion,
): Promise<void> {
  const { organizationId, clockOffsetMs } = context.principal;
  await context.database.transaction(async (tx) => {
    const { organization } = await lockAsAdmin(tx, context.principal);
    if (confirm !== organization.name) {
      throw httpError('validation_failed', 'confirm must be the name of the organization.', {
        details: { field: 'confirm', reason: 'mismatch' },
      });
    }
    if (await hasLiveBilling(tx, organizationId)) {
      throw httpError('conflict', 'The organization has a live subscription, or a payment under way: cancel it first.');
    }
    await revokeOpenInvitations(tx, organizationId);
    await deleteOrganizationRow(tx, organizationId);
    await recordAudit(tx, actorOf(context), {
      action: 'organization.deleted',
      targetType: 'organization',
      targetId: organizationId,
      before: { ...auditedContent(organization), member_count: organization.member_count },
    });
    await outbox.announce(tx, organizationId, clockOffsetMs, [
      announcement(ORG_DELETED, { organization_id: organizationId }),
    ]);
  });
}
