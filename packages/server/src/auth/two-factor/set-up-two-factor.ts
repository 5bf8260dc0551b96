import { type AuthorizedContext, httpError } from '../../http/index.ts';
import { lockUserForLogin } from '../../users/index.ts';
import { invalidCredentials } from '../errors.ts';
import { newTotpSecret, otpauthUrl } from './code-rules.ts';
import { upsertPendingSecret } from './queries.ts';
import { SECRET_PURPOSE } from './spend-code.ts';
import type { TwoFactorTools } from './two-factor-tools.ts';

/** Creates a TOTP secret, replacing one that was not enabled. Throws `conflict` if two-factor is on. */
export async function setUpTwoFactor(
  { database, principal: { userId } }: AuthorizedContext,
  tools: Pick<TwoFactorTools, 'masterKey' | 'issuer'>,
): Promise<{ secret: string; otpauth_url: string }> {
  const secret = newTotpSecret();
  const sealed = tools.masterKey.encrypt(SECRET_PURPOSE, userId, secret);
  return database.transaction(async (tx) => {
    const user = await lockUserForLogin(tx, { userId });
    if (user === undefined) {
      throw invalidCredentials();
    }
    if ((await upsertPendingSecret(tx, { userId, secret: sealed })) === 0) {
      throw httpError('conflict', 'Two-factor authentication is already on. Turn it off first.');
    }
    return { secret, otpauth_url: otpauthUrl(tools.issuer, user.email, secret) };
  });
}
