import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { lockUserForLogin, type UserForLogin } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { invalidCredentials } from '../errors.ts';
import { hashRecoveryCode, newRecoveryCodes } from './code-rules.ts';
import { deleteRecoveryCodes, insertRecoveryCodes } from './queries.ts';
import { recoveryKey } from './spend-proof.ts';

/** Locks the row of a user who changes how they log in. Throws `invalid_credentials` while the account is locked. */
export async function lockUnlockedUser(tx: Queries, userId: string): Promise<UserForLogin> {
  const user = await lockUserForLogin(tx, userId);
  if (user === undefined || user.is_locked) {
    throw invalidCredentials();
  }
  return user;
}

/** Makes ten recovery codes in the place of those that there were; only their hashes are kept. */
export async function renewRecoveryCodes(
  tx: Queries,
  tools: Pick<LoginTools, 'masterKey'>,
  userId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const key = recoveryKey(tools);
  await deleteRecoveryCodes(tx, userId);
  await insertRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashRecoveryCode(key, userId, code)),
  );
  return codes;
}

/** Notes a change of how a user logs in, in the audit log of the organization that they act in. */
export async function recordTwoFactorAudit(
  tx: Queries,
  context: AuthorizedContext,
  change: 'enabled' | 'disabled' | 'recovery_codes_renewed',
): Promise<void> {
  await recordAudit(tx, actorOf(context), {
    action: `two_factor.${change}`,
    targetType: 'user',
    targetId: context.principal.userId,
  });
}
