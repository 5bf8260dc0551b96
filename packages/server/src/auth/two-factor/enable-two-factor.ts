import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, type Refusal, runEffect } from '../../http/index.ts';
import { lockUserForLogin } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { invalidCredentials } from '../errors.ts';
import { recordTwoFactorAudit, renewRecoveryCodes } from './change-two-factor.ts';
import { readCode } from './code-rules.ts';
import { countedRefusal } from './counted-refusal.ts';
import { enableSecret, findTwoFactorSecret } from './queries.ts';
import { timeStepOf } from './spend-proof.ts';
import { tellOfTwoFactor } from './two-factor-mails.ts';

/**
 * Turns two-factor on, proved by a code of the secret that was set up, and answers the recovery codes. Throws `conflict` when
 * nothing was set up or two-factor is on, and `invalid_credentials` for a wrong code, which counts, or a locked account.
 */
export async function enableTwoFactor(
  context: AuthorizedContext,
  tools: LoginTools,
  code: string,
): Promise<Answer<unknown>> {
  return runEffect(context, (tx) => enable(tx, context, tools, code));
}

async function enable(
  tx: Queries,
  context: AuthorizedContext,
  tools: LoginTools,
  code: string,
): Promise<Answer<unknown> | Refusal> {
  const { userId } = context.principal;
  const user = await lockUserForLogin(tx, userId);
  if (user === undefined || user.is_locked) {
    return { refusal: invalidCredentials() };
  }
  const kept = await findTwoFactorSecret(tx, userId);
  if (kept === undefined || kept.is_enabled) {
    throw notSetUp();
  }
  const typed = readCode(code);
  const timeStep = timeStepOf(tools, userId, kept.secret, typed.kind === 'totp' ? typed.digits : '');
  if (timeStep === undefined) {
    return countedRefusal(tx, user);
  }
  if (!(await enableSecret(tx, userId, kept.secret, timeStep))) {
    throw notSetUp();
  }
  const codes = await renewRecoveryCodes(tx, tools, userId);
  await tellOfTwoFactor(tx, tools, user, 'enabled');
  await recordTwoFactorAudit(tx, context, 'enabled');
  return { data: { recovery_codes: codes } };
}

function notSetUp() {
  return httpError('conflict', 'Two-factor authentication is on already, or was not set up.');
}
