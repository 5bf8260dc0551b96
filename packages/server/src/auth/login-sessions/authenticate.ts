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
 * Checks an email address and a password and, where that is all that the account asks for, records the login. Throws
 * `invalid_credentials`. An unknown address, a wrong password and a locked account do the same work and get the same answer,
 * so that neither text nor time tells which it was.
 */
export async function authenticate<T>(
  { database }: LoginContext,
  tools: LoginTools,
  credentials: { email: string; password: string },
  onSuccess: OnLogin<T>,
): Promise<Authentication<T>> {
  // No account has the empty address: what is no address at all takes the way of an unknown one.
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

/** A password that changes while it is checked is checked once more: the old one must open nothing after the change. */
const MAX_ATTEMPTS = 2;

/** Only a login has the password at hand: the one moment at which a hash can follow stronger parameters. */
async function rehashIfOutdated(
  { passwords }: LoginTools,
  user: UserForLogin,
  password: string,
): Promise<string | undefined> {
  return passwords.isOutdated(user.password_hash) ? passwords.hash(password) : undefined;
}

/** Goes on from a password that was right when it was checked; `stale` when it was changed since. */
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
