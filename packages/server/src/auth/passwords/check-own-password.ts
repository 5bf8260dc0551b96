import type { Queries } from '../../database/index.ts';
import type { PasswordHasher } from '../../security/index.ts';
import { findUserForLogin } from '../../users/index.ts';
import type { PasswordCheckQueue } from './password-check-queue.ts';

/** The dependencies of checking passwords. */
export interface PasswordTools {
  passwords: PasswordHasher;
  passwordChecks: PasswordCheckQueue;
}

/**
 * Checks the password of a logged-in user, before an action for which a stolen token must not be enough. Returns the
 * hash that it matched; undefined if it was wrong, or not checked because the account is locked. The result is not
 * final: the transaction that relies on it compares the hash under the lock of the user's row, and counts failures
 * there. `database` must not be a transaction, which would be held while waiting for the CPU.
 */
export async function checkOwnPassword(
  database: Queries,
  { passwords, passwordChecks }: PasswordTools,
  userId: string,
  password: string,
): Promise<string | undefined> {
  return passwordChecks.take(userId, async () => {
    const user = await findUserForLogin(database, { userId });
    if (user === undefined || user.is_locked) {
      return undefined;
    }
    return (await passwords.verify(user.password_hash, password)) ? user.password_hash : undefined;
  });
}
