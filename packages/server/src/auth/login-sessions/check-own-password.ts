import type { Queries } from '../../database/index.ts';
import { countFailedLogin, findUserForLogin, type UserForLogin } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { invalidCredentials } from '../errors.ts';

/**
 * Checks the password of somebody who is logged in already, before something that a stolen token must not do alone. Throws
 * `invalid_credentials`, and counts, when it is wrong or the account is locked. `database` must not be a transaction: it
 * would wait for the processor, and the count would go with a rollback.
 */
export async function checkOwnPassword(
  database: Queries,
  { passwords }: Pick<LoginTools, 'passwords'>,
  userId: string,
  password: string,
): Promise<UserForLogin> {
  const user = await findUserForLogin(database, userId);
  const matches = await passwords.verify(user?.password_hash, password);
  if (user === undefined || !matches || user.is_locked) {
    await countFailedLogin(database, user?.email ?? '');
    throw invalidCredentials();
  }
  return user;
}
