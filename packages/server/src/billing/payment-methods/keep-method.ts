import type { Queries } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import { httpError } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { Account } from '../accounts/open-account.ts';
import type { BillingTools } from '../billing-tools.ts';
import { PAYMENT_METHOD_ATTACHED } from '../events.ts';
import type { AttachedMethod } from '../payment-provider/payment-provider.ts';
import { requireProvider } from './attach-token.ts';
import { presentMethod } from './present-method.ts';
import {
  findDefaultMethod,
  findMethod,
  insertMethod,
  type MethodRow,
  moveDefault,
  retryPastDue,
  wasRemoved,
} from './queries.ts';

/**
 * Writes a method that the provider has attached, and announces it; one that is kept already stays as it is. The first is
 * the default, and so is one with `setDefault`: then what is past due is tried with it, at once where the caller rings
 * `tools.due` after the commit. Books that hold a past due subscription would write over that wish: none do. The account is locked. Throws conflict for one that was removed meanwhile.
 */
export async function keepMethod(
  tools: Pick<BillingTools, 'outbox' | 'provider'>,
  tx: Queries,
  account: Account,
  attached: AttachedMethod,
  setDefault: boolean,
): Promise<MethodRow> {
  const { organizationId, clockOffsetMs } = account;
  const known = await findMethod(tx, organizationId, attached.ref);
  if (known !== undefined) {
    return setDefault ? makeDefault(tx, account, known) : known;
  }
  if (await wasRemoved(tx, organizationId, attached.ref)) {
    throw httpError('conflict', 'This payment method was removed; a removed one cannot be attached again.');
  }
  const hasDefault = (await findDefaultMethod(tx, organizationId)) !== undefined;
  const provider = requireProvider(tools).name;
  const written = { id: newId('paymentMethod'), provider, attached, isDefault: !hasDefault };
  const inserted = await insertMethod(tx, account, written);
  const row = setDefault && hasDefault ? await makeDefault(tx, account, inserted) : inserted;
  if (!hasDefault) {
    await retryPastDue(tx, account);
  }
  await tools.outbox.announce(tx, organizationId, clockOffsetMs, [
    announcement(PAYMENT_METHOD_ATTACHED, { ...presentMethod(row), payment_method_id: row.id }),
  ]);
  return row;
}

/** Makes a method the default and lets what is past due be tried with it; one that is the default already stays as it is. */
export async function makeDefault(tx: Queries, account: Account, row: MethodRow): Promise<MethodRow> {
  if (row.is_default) {
    return row;
  }
  const moved = await moveDefault(tx, account.organizationId, row.id);
  if (moved === undefined) {
    throw new Error('a payment method is gone while its account is locked');
  }
  await retryPastDue(tx, account);
  return moved;
}
