import type { Queries } from '../../database/index.ts';
import type { Refusal } from '../../http/index.ts';
import { updateFailedLogins } from '../../users/index.ts';
import { invalidCredentials } from '../errors.ts';

/**
 * Counts a wrong password or code on the account, in the transaction that looked at it and holds the user's row, and answers
 * the refusal: so the count is committed before the next try is looked at. During a lock nothing is counted.
 */
export async function countAndRefuse(tx: Queries, { email }: { email: string }): Promise<Refusal> {
  await updateFailedLogins(tx, { email });
  return { refusal: invalidCredentials() };
}
