import type { Queries } from '../../database/index.ts';
import { findUserForLogin, type UserForLogin } from '../../users/index.ts';
import type { LoginTools } from '../login-sessions/login-tools.ts';
import { requireSoundPassword } from '../passwords/require-sound-password.ts';
import type { PasswordChange } from './profile-rules.ts';

/** The outcome of checking the current password, with the hashes that the transaction needs if it is correct. */
export type CheckedPasswordChange = { isRight: false } | { isRight: true; checkedHash: string; newHash: string };

/**
 * Checks the current password and hashes the new one, both before any transaction begins, and neither while the account
 * is locked. Throws `validation_failed` for a weak new password. A wrong current password is a return value, because a
 * stored response may still be replayed.
 */
export async function checkPasswordChange(
  database: Queries,
  tools: ProofTools,
  { userId, name }: { userId: string; name: string | undefined },
  wish: PasswordChange,
): Promise<CheckedPasswordChange> {
  return tools.passwordChecks.take(userId, async () => {
    const user = await findUserForLogin(database, { userId });
    if (user === undefined) {
      return { isRight: false };
    }
    requireSoundPassword(wish.password, { email: user.email, name: name ?? user.name });
    return user.is_locked ? { isRight: false } : prove(tools, user, wish);
  });
}

type ProofTools = Pick<LoginTools, 'passwords' | 'throttle' | 'passwordChecks'>;

async function prove(
  { throttle, passwords }: ProofTools,
  { email, password_hash: checkedHash }: UserForLogin,
  wish: PasswordChange,
): Promise<CheckedPasswordChange> {
  await throttle.enter(email);
  if (!(await passwords.verify(checkedHash, wish.currentPassword))) {
    return { isRight: false };
  }
  const newHash = await passwords.hash(wish.password);
  throttle.forget(email);
  return { isRight: true, checkedHash, newHash };
}
