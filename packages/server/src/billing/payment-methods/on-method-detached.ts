import { lockAccount } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { findMethod, listOrganizationsOfRef } from './queries.ts';
import { removeMethod } from './remove-method.ts';

/**
 * Removes a method that the provider has detached, even if it is in use; the newest other one replaces it. A method
 * that is unknown or removed here changes nothing.
 */
export async function onMethodDetached(tools: DetachTools, methodRef: string): Promise<void> {
  if (tools.provider === undefined) {
    return;
  }
  const owners = await listOrganizationsOfRef(tools.database, { provider: tools.provider.name, ref: methodRef });
  for (const { organization_id: organizationId } of owners) {
    await removeGone(tools, organizationId, methodRef);
  }
  tools.due.ring();
}

type DetachTools = Pick<BillingTools, 'database' | 'outbox' | 'provider' | 'due'>;

async function removeGone({ database, outbox }: DetachTools, organizationId: string, methodRef: string): Promise<void> {
  await database.transaction(async (tx) => {
    const account = await lockAccount(tx, organizationId);
    const row = await findMethod(tx, organizationId, methodRef);
    if (row !== undefined) {
      await removeMethod(tx, outbox, account, row, false);
    }
  });
}
