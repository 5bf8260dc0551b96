import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import type { Account } from '../accounts/queries.ts';
import { PAYMENT_METHOD_REMOVED } from '../events.ts';
import { changeDefault } from './attach-method.ts';
import { findNewestMethod, type MethodRow, presentMethod, updateRemovedMethod } from './queries.ts';

/**
 * Removes a method and announces it. If it was the default, the newest other one replaces it and is returned; the
 * caller rings `tools.due` after the commit. `isAttached`: the provider still has it and must detach it. The account is
 * locked.
 */
export async function removeMethod(
  tx: Queries,
  outbox: Outbox,
  account: Account,
  row: MethodRow,
  isAttached: boolean,
): Promise<MethodRow | undefined> {
  const { organizationId, clockOffsetMs } = account;
  await updateRemovedMethod(tx, { organizationId, id: row.id, clockOffsetMs, isAttached });
  const newest = row.is_default ? await findNewestMethod(tx, { organizationId }) : undefined;
  const promoted = newest === undefined ? undefined : await changeDefault(tx, account, newest);
  await outbox.announce(tx, organizationId, clockOffsetMs, [
    announcement(PAYMENT_METHOD_REMOVED, { ...presentMethod(row), payment_method_id: row.id }),
  ]);
  return promoted;
}
