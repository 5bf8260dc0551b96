import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, httpError } from '../../http/index.ts';
import type { UserForLogin } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { invalidCredentials } from '../errors.ts';
import { spendChallengesOfUser } from './challenge-queries.ts';
import { lockUnlockedUser, recordTwoFactorAudit, renewRecoveryCodes } from './change-two-factor.ts';
import { deleteEnabledSecret, deleteRecoveryCodes, findTwoFactorSecret } from './queries.ts';
import { proofOf, spendProof } from './spend-proof.ts';
import { tellOfTwoFactor } from './two-factor-mails.ts';

/** Turns two-factor off. Runs in the caller's transaction; the caller checked the password. Throws as `spendCode` does. */
export async function disableTwoFactor(
  tx: Queries,
  context: AuthorizedContext,
  tools: LoginTools,
  checked: UserForLogin,
  code: string,
): Promise<{ status: 'disabled' }> {
  await spendCode(tx, tools, checked, code);
  await deleteEnabledSecret(tx, checked.id);
  await deleteRecoveryCodes(tx, checked.id);
  await spendChallengesOfUser(tx, checked.id);
  await tellOfTwoFactor(tx, tools, checked, 'disabled');
  await recordTwoFactorAudit(tx, context, 'disabled');
  return { status: 'disabled' };
}

/** Makes new recovery codes; the old ones are void. Runs in the caller's transaction, as turning two-factor off does. */
export async function replaceRecoveryCodes(
  tx: Queries,
  context: AuthorizedContext,
  tools: LoginTools,
  checked: UserForLogin,
  code: string,
): Promise<{ recovery_codes: string[] }> {
  await spendCode(tx, tools, checked, code);
  const codes = await renewRecoveryCodes(tx, tools, checked.id);
  await tellOfTwoFactor(tx, tools, checked, 'recovery-codes-renewed');
  await recordTwoFactorAudit(tx, context, 'recovery_codes_renewed');
  return { recovery_codes: codes };
}

/**
 * Spends a code of a user whose password was checked a moment ago. Throws `conflict` where two-factor is off, and
 * `invalid_credentials` for a wrong or used code, a locked account, and a password that changed since.
 */
async function spendCode(tx: Queries, tools: LoginTools, checked: UserForLogin, code: string): Promise<void> {
  const user = await lockUnlockedUser(tx, checked.id);
  if (user.password_hash !== checked.password_hash) {
    throw invalidCredentials();
  }
  const kept = await findTwoFactorSecret(tx, user.id);
  if (kept?.is_enabled !== true) {
    throw httpError('conflict', 'Two-factor authentication is off.');
  }
  if (!(await spendProof(tx, user.id, await proofOf(tx, tools, user.id, code)))) {
    throw invalidCredentials();
  }
}
