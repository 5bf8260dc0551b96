import type { AccountRow } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { requireSoundPassword } from '../passwords/require-sound-password.ts';
import type { PasswordWish } from './profile-rules.ts';

/** What became of checking the present password. The hashes are what the transaction needs of a right one. */
export type PasswordProof = { isRight: false } | { isRight: true; checkedHash: string; newHash: string };

/**
 * Checks the present password and hashes the new one, both before any transaction begins. Throws `validation_failed` for a
 * new one that is no secret; a wrong present one is an answer, since a kept answer may still be replayed.
 */
export async function provePassword(
  tools: Pick<LoginTools, 'passwords' | 'pace'>,
  account: AccountRow,
  nameThen: string,
  wish: PasswordWish,
): Promise<PasswordProof> {
  requireSoundPassword(wish.password, { email: account.email, name: nameThen });
  await tools.pace.enter(account.email);
  if (!(await tools.passwords.verify(account.password_hash, wish.currentPassword))) {
    return { isRight: false };
  }
  const newHash = await tools.passwords.hash(wish.password);
  tools.pace.forget(account.email);
  return { isRight: true, checkedHash: account.password_hash, newHash };
}
