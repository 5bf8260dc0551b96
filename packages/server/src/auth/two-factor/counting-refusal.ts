import type { Queries } from '../../database/index.ts';
import { ApiError } from '../../http/index.ts';
import { countFailedLogin } from '../../users/index.ts';

/**
 * Runs work that may refuse a password or code, and counts the refusal on the account. It is counted after the transaction
 * that refused was rolled back, or else the count would go with it: `database` must not be that transaction.
 */
export async function countingRefusal<T>(database: Queries, email: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_credentials') {
      await countFailedLogin(database, email);
    }
    throw error;
  }
}
