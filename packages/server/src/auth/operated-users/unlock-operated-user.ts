import { INSTALLATION, staffActorOf } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { lockUserForLogin, updateFailedLoginsToZero } from '../../users/index.ts';
import { recordActOnAccount } from '../record-account-audit.ts';
import { getOperatedUser } from './get-operated-user.ts';
import { requireManageable } from './require-manageable.ts';
import type { OperatedUser } from './schemas.ts';

/**
 * Unlocks an account that was locked after too many wrong passwords or codes. Changes nothing if it is not locked.
 * Throws `not_found`, and what `requireManageable` throws.
 */
export async function unlockOperatedUser(context: AuthorizedContext, userId: string): Promise<OperatedUser> {
  return context.database.transaction(async (tx) => {
    const user = await lockUserForLogin(tx, { userId });
    if (user === undefined) {
      throw notFound('user');
    }
    await requireManageable(tx, context.principal, userId);
    if (user.is_locked) {
      await updateFailedLoginsToZero(tx, { userId });
      await recordActOnAccount(tx, userId, staffActorOf(context, INSTALLATION), 'user.unlocked');
    }
    return getOperatedUser(tx, userId);
  });
}
