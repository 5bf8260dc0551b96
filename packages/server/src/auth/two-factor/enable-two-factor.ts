import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, httpError } from '../../http/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { invalidCredentials } from '../errors.ts';
import { lockUnlockedUser, recordTwoFactorAudit, renewRecoveryCodes } from './change-two-factor.ts';
import { readCode } from './code-rules.ts';
import { enableSecret, findTwoFactorSecret } from './queries.ts';
import { timeStepOf } from './spend-proof.ts';
import { tellOfTwoFactor } from './two-factor-mails.ts';

/**
 * Turns two-factor on, proved by a code of the secret that was set up, and answers the recovery codes. Runs in the caller's
 * transaction. Throws `conflict` when nothing was set up or two-factor is on, and `invalid_credentials` for a wrong code.
 */
export async function enableTwoFactor(
  tx: Queries,
  context: AuthorizedContext,
  tools: LoginTools,
  code: string,
): Promise<{ recovery_codes: string[] }> {
  const { userId } = context.principal;
  const user = await lockUnlockedUser(tx, userId);
  const kept = await findTwoFactorSecret(tx, userId);
  if (kept === undefined || kept.is_enabled) {
    throw notSetUp();
  }
  const typed = readCode(code);
  const timeStep = timeStepOf(tools, userId, kept.secret, typed.kind === 'totp' ? typed.digits : '');
  if (timeStep === undefined) {
    throw invalidCredentials();
  }
  if (!(await enableSecret(tx, userId, kept.secret, timeStep))) {
    throw notSetUp();
  }
  const codes = await renewRecoveryCodes(tx, tools, userId);
  await tellOfTwoFactor(tx, tools, user, 'enabled');
  await recordTwoFactorAudit(tx, context, 'enabled');
  return { recovery_codes: codes };
}

function notSetUp() {
  return httpError('conflict', 'Two-factor authentication is on already, or was not set up.');
}
