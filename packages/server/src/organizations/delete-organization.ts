import { type AuditActor, actorOf } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import type { Outbox } from '../events/index.ts';
import { type AuthorizedContext, httpError } from '../http/index.ts';
import { endOrganization } from './end-organization.ts';
import { lockAsAdmin } from './memberships/lock-as-admin.ts';
import type { OrganizationRow } from './organization-queries.ts';
import type { OrganizationDeletion } from './schemas.ts';

/** The dependencies of deleting an organization. */
export interface DeletionTools {
  outbox: Outbox;
  /** Whether it has subscriptions or payments in progress. Provided by billing, which is above this room. */
  hasLiveBilling(tx: Queries, organizationId: string): Promise<boolean>;
}

/**
 * Deletes the organization of the request. Members lose access at their next request. API tokens and the tokens of the
 * organization's apps end with the memberships. The rest is erased in the background, except invoices and payments,
 * which must be kept by law. Throws `validation_failed` if `confirm` is not its name, and `conflict` while it has a
 * live subscription.
 */
export async function deleteOrganization(
  context: AuthorizedContext,
  tools: DeletionTools,
  { confirm }: OrganizationDeletion,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const { organization } = await lockAsAdmin(tx, context.principal);
    await endConfirmed(tx, tools, organization, confirm, actorOf(context));
  });
}

/** Ends an organization, whose lock the caller holds, if `confirm` is its name and it has no live billing. */
export async function endConfirmed(
  tx: Queries,
  { outbox, hasLiveBilling }: DeletionTools,
  organization: OrganizationRow,
  confirm: string,
  actor: AuditActor,
): Promise<void> {
  if (confirm !== organization.name) {
    throw httpError('validation_failed', 'confirm must be the exact name of the organization.', {
      details: { field: 'confirm', reason: 'mismatch' },
    });
  }
  if (await hasLiveBilling(tx, organization.id)) {
    throw httpError(
      'conflict',
      'The organization has a live subscription or a payment in progress. Cancel the subscription first.',
    );
  }
  await endOrganization(tx, { outbox }, organization, actor);
}
