import { staffActorOf } from '../../audit/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { type DeletionTools, endConfirmed } from '../delete-organization.ts';
import { lockLiveOrganization } from '../memberships/lock-as-admin.ts';
import type { OrganizationDeletion } from '../schemas.ts';
import type { OperatedDeletion } from './schemas.ts';

/**
 * Deletes a customer as its own admin would: access ends immediately, and everything but its invoices is erased in the
 * background. Throws `not_found`, `validation_failed` if `confirm` is not its name, and `conflict` while it has a live
 * subscription.
 */
export async function deleteOperatedOrganization(
  context: AuthorizedContext,
  tools: DeletionTools,
  organizationId: string,
  { confirm }: OrganizationDeletion,
): Promise<OperatedDeletion> {
  await context.database.transaction(async (tx) => {
    const organization = await lockLiveOrganization(tx, organizationId);
    await endConfirmed(tx, tools, organization, confirm, staffActorOf(context, organizationId));
  });
  return { id: organizationId, deleted: true };
}
