import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, httpError, type Refusal } from '../../http/index.ts';
import { lockUserForLogin, type UserForLogin } from '../../users/index.ts';
import { invalidCredentials } from '../errors.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { countAndRefuse } from './count-and-refuse.ts';
import { findTwoFactorSecret } from './queries.ts';
import { resolveCode, spendCode } from './spend-code.ts';
import type { TwoFactorTools } from './two-factor-tools.ts';

/** The proof for a change of two-factor: the hash that the password matched, if it did, and a code. */
export interface CheckedPasswordAndCode {
  checkedHash: string | undefined;
  code: string;
}

/** Checks the password before any transaction begins, and not at all if two-factor is off. The result is not final. */
export async function checkPasswordAndCode(
  { database, principal: { userId } }: AuthorizedContext,
  tools: TwoFactorTools,
  { password, code }: { password: string; code: string },
): Promise<CheckedPasswordAndCode> {
  const kept = await findTwoFactorSecret(database, { userId });
  const isOn = kept?.is_enabled === true;
  return { checkedHash: isOn ? await checkOwnPassword(database, tools, userId, password) : undefined, code };
}

/**
 * Locks the user's row and spends the code, and returns the user; or the refusal: for a wrong password, a wrong or used
 * code, or a password that changed since it was checked, which all count as failures, or for a locked account. Throws
 * `conflict` if two-factor is off.
 */
export async function spendPasswordAndCode(
  tx: Queries,
  tools: TwoFactorTools,
  userId: string,
  { checkedHash, code }: CheckedPasswordAndCode,
): Promise<UserForLogin | Refusal> {
  const user = await lockUserForLogin(tx, { userId });
  const kept = await findTwoFactorSecret(tx, { userId });
  if (kept?.is_enabled !== true) {
    throw httpError('conflict', 'Two-factor authentication is off.');
  }
  if (user === undefined || user.is_locked) {
    return { refusal: invalidCredentials() };
  }
  if (checkedHash !== user.password_hash) {
    return countAndRefuse(tx, user);
  }
  const isSpent = await spendCode(tx, userId, await resolveCode(tx, tools, userId, code));
  return isSpent ? user : countAndRefuse(tx, user);
}
