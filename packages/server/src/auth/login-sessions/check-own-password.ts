import type { Queries } from '../../database/index.ts';
import { findUserForLogin } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';

/**
 * Checks the password of somebody who is logged in already, before something that a stolen token must not do alone. Answers
 * the hash that it was right for; undefined when it was wrong, or not looked at since the account is locked. It decides
 * nothing: the transaction that relies on it compares the hash under the lock of the user's row, and counts there.
 * `database` must not be a transaction, which would wait for the processor.
 */
export async function checkOwnPassword(
  database: Queries,
  { passwords, ownPasswordTurns }: Pick<LoginTools, 'passwords' | 'ownPasswordTurns'>,
  userId: string,
  password: string,
): Promise<string | undefined> {
  return ownPasswordTurns.take(userId, async () => {
    const user = await findUserForLogin(database, userId);
    if (user === undefined || user.is_locked) {
      return undefined;
    }
    return (await passwords.verify(user.password_hash, password)) ? user.password_hash : undefined;
  });
}
