import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { lockLoginSessionLive } from './queries.ts';

/**
 * Locks the login that a request came with against its end, until the transaction is over. For what outlives a login: an
 * API token made by a request that was under way while the login was ended would not be found by whoever ends both. To be
 * taken before any lock of an organization's. Throws `invalid_token` when the login is over.
 */
export async function requireLiveLogin(tx: Queries, userId: string, loginSessionId: string): Promise<void> {
  if (!(await lockLoginSessionLive(tx, userId, loginSessionId))) {
    throw httpError('invalid_token', 'The login of this token has ended; log in again.');
  }
}
