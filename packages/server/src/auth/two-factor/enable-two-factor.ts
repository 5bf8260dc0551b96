import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, type Refusal, runEffect } from '../../http/index.ts';
import { lockUserForLogin } from '../../users/index.ts';
import { invalidCredentials } from '../errors.ts';
import { recordTwoFactorAudit, renewRecoveryCodes } from './change-two-factor.ts';
import { parseCode } from './code-rules.ts';
import { countAndRefuse } from './count-and-refuse.ts';
import { findTwoFactorSecret, updateLoginSessionPassedTwoFactor, updateSecretEnabled } from './queries.ts';
import { timeStepOf } from './spend-code.ts';
import { notifyOfTwoFactorChange } from './two-factor-mails.ts';
import type { TwoFactorTools } from './two-factor-tools.ts';

/**
 * Turns two-factor on, proved by a code of the secret that was set up, and returns the recovery codes. Throws
 * `conflict` if nothing was set up or two-factor is on, and `invalid_credentials` for a wrong code, which counts as a
 * failure, and for a locked account.
 */
export async function enableTwoFactor(
  context: AuthorizedContext,
  tools: TwoFactorTools,
  code: string,
): Promise<Answer<unknown>> {
  return runEffect(context, (tx) => enable(tx, context, tools, code));
}

async function enable(
  tx: Queries,
  context: AuthorizedContext,
  tools: TwoFactorTools,
  code: string,
): Promise<Answer<unknown> | Refusal> {
  const { userId } = context.principal;
  const user = await lockUserForLogin(tx, { userId });
  if (user === undefined || user.is_locked) {
    return { refusal: invalidCredentials() };
  }
  const kept = await findTwoFactorSecret(tx, { userId });
  if (kept === undefined || kept.is_enabled) {
    throw notSetUp();
  }
  const typed = parseCode(code);
  const timeStep = timeStepOf(tools, userId, kept.secret, typed.kind === 'totp' ? typed.digits : '');
  if (timeStep === undefined) {
    return countAndRefuse(tx, user);
  }
  if ((await updateSecretEnabled(tx, { userId, secret: kept.secret, timeStep })) === 0) {
    throw notSetUp();
  }
  // The login has just proved the second factor. The route takes logins only.
  await updateLoginSessionPassedTwoFactor(tx, { userId, id: context.principal.tokenSourceId });
  const codes = await renewRecoveryCodes(tx, tools, userId);
  await notifyOfTwoFactorChange(tx, tools, user, 'enabled');
  await recordTwoFactorAudit(tx, context, 'enabled');
  return { data: { recovery_codes: codes } };
}

function notSetUp() {
  return httpError(
    'conflict',
    'Two-factor authentication is already on, or setup was not started. Call POST /v1/auth/2fa/setup first.',
  );
}
