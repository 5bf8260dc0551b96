import type { Queries } from '../../database/index.ts';
import type { Refusal } from '../../http/index.ts';
import { updateFailedLogins } from '../../users/index.ts';
import { invalidCredentials } from '../errors.ts';

/**
 * Counts a wrong password or code on the account, in the transaction that checked it and holds the user's row, and
 * returns the refusal. So the count is committed before the next attempt is checked. While the account is locked,
 * nothing is counted.
 */
export async function countAndRefuse(tx: Queries, { email }: { email: string }): Promise<Refusal> {
  await updateFailedLogins(tx, { email });
  return { refusal: invalidCredentials() };
}
