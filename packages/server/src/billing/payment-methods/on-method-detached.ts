import { openAccount } from '../accounts/open-account.ts';
import type { BillingTools } from '../billing-tools.ts';
import { findMethod, listOrganizationsOfRef } from './queries.ts';
import { removeMethod } from './remove-method.ts';

/**
 * Takes away here what the provider says is gone there, whatever it is used for; the newest other takes its place. One that
 * is not here, or no more, is as good.
 */
export async function onMethodDetached(tools: DetachTools, methodRef: string): Promise<void> {
  if (tools.provider === undefined) {
    return;
  }
  for (const organizationId of await listOrganizationsOfRef(tools.database, tools.provider.name, methodRef)) {
    await removeGone(tools, organizationId, methodRef);
  }
  tools.due.ring();
}

type DetachTools = Pick<BillingTools, 'database' | 'outbox' | 'provider' | 'due'>;

async function removeGone({ database, outbox }: DetachTools, organizationId: string, methodRef: string): Promise<void> {
  await database.transaction(async (tx) => {
    const account = await openAccount(tx, organizationId);
    const row = await findMethod(tx, organizationId, methodRef);
    if (row !== undefined) {
      await removeMethod(tx, outbox, account, row, false);
    }
  });
}
