import { type Answer, type AuthorizedContext, runEffect } from '../../http/index.ts';
import { updateChallengesOfUserSpent } from './challenge-queries.ts';
import { recordTwoFactorAudit, renewRecoveryCodes } from './change-two-factor.ts';
import { deleteEnabledSecret, deleteRecoveryCodes, updateLoginSessionsWithoutTwoFactor } from './queries.ts';
import type { PasswordAndCode } from './schemas.ts';
import { checkPasswordAndCode, spendPasswordAndCode } from './spend-password-and-code.ts';
import { notifyOfTwoFactorChange } from './two-factor-mails.ts';
import type { TwoFactorTools } from './two-factor-tools.ts';

/** Turns two-factor off. Throws `conflict` if it is already off, and `invalid_credentials`. */
export async function disableTwoFactor(
  context: AuthorizedContext,
  tools: TwoFactorTools,
  input: PasswordAndCode,
): Promise<Answer<unknown>> {
  const proof = await checkPasswordAndCode(context, tools, input);
  return runEffect(context, async (tx) => {
    const user = await spendPasswordAndCode(tx, tools, context.principal.userId, proof);
    if ('refusal' in user) {
      return user;
    }
    await deleteEnabledSecret(tx, { userId: user.id });
    await deleteRecoveryCodes(tx, { userId: user.id });
    await updateLoginSessionsWithoutTwoFactor(tx, { userId: user.id });
    await updateChallengesOfUserSpent(tx, { userId: user.id });
    await notifyOfTwoFactorChange(tx, tools, user, 'disabled');
    await recordTwoFactorAudit(tx, context, 'disabled');
    return { data: { status: 'disabled' } };
  });
}

/** Creates new recovery codes, which invalidates the old ones. Throws the same errors as turning two-factor off. */
export async function replaceRecoveryCodes(
  context: AuthorizedContext,
  tools: TwoFactorTools,
  input: PasswordAndCode,
): Promise<Answer<unknown>> {
  const proof = await checkPasswordAndCode(context, tools, input);
  return runEffect(context, async (tx) => {
    const user = await spendPasswordAndCode(tx, tools, context.principal.userId, proof);
    if ('refusal' in user) {
      return user;
    }
    const codes = await renewRecoveryCodes(tx, tools, user.id);
    await notifyOfTwoFactorChange(tx, tools, user, 'recovery-codes-renewed');
    await recordTwoFactorAudit(tx, context, 'recovery_codes_renewed');
    return { data: { recovery_codes: codes } };
  });
}
