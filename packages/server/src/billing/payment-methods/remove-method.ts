import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import type { Account } from '../accounts/open-account.ts';
import { PAYMENT_METHOD_REMOVED } from '../events.ts';
import { makeDefault } from './keep-method.ts';
import { presentMethod } from './present-method.ts';
import { findNewestMethod, type MethodRow, removeMethodRow } from './queries.ts';

/**
 * Takes a method away and announces it. The newest other takes its place when it was the default, and is answered; the
 * caller rings `tools.due` after the commit. `isTied`: the provider still has it and is to untie it. The account is locked.
 */
export async function removeMethod(
  tx: Queries,
  outbox: Outbox,
  account: Account,
  row: MethodRow,
  isTied: boolean,
): Promise<MethodRow | undefined> {
  await removeMethodRow(tx, account, row.id, isTied);
  const heir = row.is_default ? await findNewestMethod(tx, account.organizationId) : undefined;
  const promoted = heir === undefined ? undefined : await makeDefault(tx, account, heir);
  await outbox.announce(tx, account.organizationId, account.clockOffsetMs, [
    announcement(PAYMENT_METHOD_REMOVED, { ...presentMethod(row), payment_method_id: row.id }),
  ]);
  return promoted;
}
