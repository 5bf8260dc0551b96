import { actorOf } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import type { Outbox } from '../events/index.ts';
import { type AuthorizedContext, httpError } from '../http/index.ts';
import { endOrganization } from './end-organization.ts';
import { lockAsAdmin } from './lock-as-admin.ts';
import type { OrganizationDeletion } from './schemas.ts';

/** What the deletion of an organization needs. */
export interface DeletionDeps {
  outbox: Outbox;
  /** Whether it has subscriptions or payments under way; from the room that has them, which is above this one. */
  hasLiveBilling(tx: Queries, organizationId: string): Promise<boolean>;
}

/**
 * Deletes the organization of the request. Its members lose it at their next request and its API tokens end with the
 * memberships, as do the tokens of the apps that it owned; the rest is erased in the background, except its
 * invoices and payments, which the law requires to keep.
 * Throws `validation_failed` when `confirm` is not its name, and `conflict` while a subscription of it lives.
 */
export async function deleteOrganization(
  { outbox, hasLiveBilling }: DeletionDeps,
  context: AuthorizedContext,
  { confirm }: OrganizationDeletion,
): Promise<void> {
  const { organizationId } = context.principal;
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
    await endOrganization(tx, outbox, organization, actorOf(context));
  });
}
