import type { Queries } from '../../database/index.ts';
import type { PasswordHasher } from '../../security/index.ts';
import { findUserForLogin } from '../../users/index.ts';
import type { PasswordCheckQueue } from './password-check-queue.ts';

/** What checking passwords needs. */
export interface PasswordTools {
  passwords: PasswordHasher;
  passwordChecks: PasswordCheckQueue;
}

/**
 * Checks the password of a logged-in user, before something that a stolen token alone must not do. Returns the hash
 * that it was right for; undefined when it was wrong, or not looked at since the account is locked. It decides nothing:
 * the transaction that relies on it compares the hash under the lock of the user's row, and counts there. `database`
 * must not be a transaction, which would wait for the processor.
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
