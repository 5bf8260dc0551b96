import type { Queries } from '../../database/index.ts';
import {
  findUserByEmail,
  lockUserForLogin,
  parseEmail,
  type UserForLogin,
  updateFailedLogins,
  updateFailedLoginsToZero,
  updatePasswordHash,
} from '../../users/index.ts';
import { invalidCredentials } from '../errors.ts';
import { createChallenge } from '../two-factor/create-challenge.ts';
import { findTwoFactorSecret } from '../two-factor/queries.ts';
import type { Authentication, LoginContext, OnLogin } from './authentication.ts';
import type { LoginTools } from './login-tools.ts';

/**
 * Checks an email address and a password and, if the account requires nothing else, records the login. Throws
 * `invalid_credentials`. An unknown address, a wrong password and a locked account do the same work and get the same
 * response, so that neither text nor timing reveals which it was.
 */
export async function authenticate<T>(
  { database }: LoginContext,
  tools: LoginTools,
  credentials: { email: string; password: string },
  onSuccess: OnLogin<T>,
): Promise<Authentication<T>> {
  // No account has the empty address: an invalid address is handled like an unknown one.
  const email = parseEmail(credentials.email) ?? '';
  await tools.throttle.enter(email);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const user = await findUserByEmail(database, { email });
    const matches = await tools.passwords.verify(user?.password_hash, credentials.password);
    if (user === undefined || !matches || user.is_locked) {
      await tools.throttle.hide(updateFailedLogins(database, { email }));
      throw invalidCredentials();
    }
    const newHash = await rehashIfOutdated(tools, user, credentials.password);
    const outcome = await database.transaction((tx) => proceed(tx, user, newHash, onSuccess));
    if (outcome.kind === 'done') {
      tools.throttle.forget(email);
    }
    if (outcome.kind !== 'stale') {
      return outcome;
    }
  }
  throw invalidCredentials();
}

/** If the password changes during the check, it is checked once more: the old one must not work after the change. */
const MAX_ATTEMPTS = 2;

/** Only a login has the plain password, so this is the only time a hash can be upgraded to stronger parameters. */
async function rehashIfOutdated(
  { passwords }: LoginTools,
  user: UserForLogin,
  password: string,
): Promise<string | undefined> {
  return passwords.isOutdated(user.password_hash) ? passwords.hash(password) : undefined;
}

/** Continues after a password that was correct when it was checked; `stale` if it has been changed since. */
async function proceed<T>(
  tx: Queries,
  checked: UserForLogin,
  newHash: string | undefined,
  onSuccess: OnLogin<T>,
): Promise<Authentication<T> | { kind: 'stale' }> {
  const user = await lockUserForLogin(tx, { userId: checked.id });
  if (user === undefined || user.is_locked) {
    throw invalidCredentials();
  }
  if (user.password_hash !== checked.password_hash) {
    return { kind: 'stale' };
  }
  if (newHash !== undefined) {
    await updatePasswordHash(tx, { userId: user.id, hash: newHash });
  }
  const twoFactor = await findTwoFactorSecret(tx, { userId: user.id });
  if (twoFactor?.is_enabled === true) {
    // The count of failures stays: a password alone is not a complete login.
    return { kind: 'challenge', ...(await createChallenge(tx, user.id)) };
  }
  await updateFailedLoginsToZero(tx, { userId: user.id });
  return { kind: 'done', result: await onSuccess(tx, user, 'password') };
}

export { authenticateByCode } from './authenticate-by-code.ts';
