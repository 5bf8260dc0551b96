import type { Queries } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import { httpError } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { Account } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { PAYMENT_METHOD_ATTACHED } from '../events.ts';
import type { AttachedMethod } from '../payment-provider/payment-provider.ts';
import { requireProvider } from './attach-method.ts';
import {
  findDefaultMethod,
  findMethod,
  hasRemovedMethod,
  insertMethod,
  type MethodRow,
  presentMethod,
  updateDefaultMethod,
  updatePastDueToRetry,
} from './queries.ts';

/**
 * Stores a method that the provider has attached, and announces it; a known one stays as it is. The first one becomes the
 * default, and so does one with `setDefault`: then past-due invoices are retried with it, at once if the caller rings
 * `tools.due` after the commit. A loaded past-due subscription that is saved later would overwrite that, so none may be
 * loaded. The account is locked. Throws conflict if the method was removed meanwhile.
 */
export async function addMethod(
  tx: Queries,
  tools: Pick<BillingTools, 'outbox' | 'provider'>,
  account: Account,
  attached: AttachedMethod,
  setDefault: boolean,
): Promise<MethodRow> {
  const { organizationId, clockOffsetMs } = account;
  const known = await findMethod(tx, organizationId, attached.ref);
  if (known !== undefined) {
    return setDefault ? changeDefault(tx, account, known) : known;
  }
  if (await hasRemovedMethod(tx, { organizationId, ref: attached.ref })) {
    throw httpError('conflict', 'This payment method was removed and cannot be attached again. Create a new one.');
  }
  const hasDefault = (await findDefaultMethod(tx, { organizationId })) !== undefined;
  const inserted = await insertMethod(tx, {
    ...attached,
    organizationId,
    id: newId('paymentMethod'),
    provider: requireProvider(tools).name,
    isDefault: !hasDefault,
    customerRef: account.customerRef,
    clockOffsetMs,
  });
  const row = setDefault && hasDefault ? await changeDefault(tx, account, inserted) : inserted;
  if (!hasDefault) {
    await updatePastDueToRetry(tx, { organizationId, clockOffsetMs });
  }
  await tools.outbox.announce(tx, organizationId, clockOffsetMs, [
    announcement(PAYMENT_METHOD_ATTACHED, { ...presentMethod(row), payment_method_id: row.id }),
  ]);
  return row;
}

/** Makes a method the default and lets past-due invoices be retried with it; does nothing if it is the default already. */
export async function changeDefault(tx: Queries, account: Account, row: MethodRow): Promise<MethodRow> {
  if (row.is_default) {
    return row;
  }
  const { organizationId, clockOffsetMs } = account;
  const moved = await updateDefaultMethod(tx, { organizationId, id: row.id });
  if (moved === undefined) {
    throw new Error('a payment method is gone while its account is locked');
  }
  await updatePastDueToRetry(tx, { organizationId, clockOffsetMs });
  return moved;
}
