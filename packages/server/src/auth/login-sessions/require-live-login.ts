import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { lockLoginSessionLive } from './queries.ts';

/**
 * Locks the login that a request came with against its end, until the transaction is over. For what outlives a login:
 * without this lock, a request that ends a login with its API tokens would miss a token that another request is just
 * making. Take it before any lock of an organization's. Throws `invalid_token` when the login is over.
 */
export async function requireLiveLogin(tx: Queries, userId: string, loginSessionId: string): Promise<void> {
  if (!(await lockLoginSessionLive(tx, userId, loginSessionId))) {
    throw httpError('invalid_token', 'This session has ended. Log in again.');
  }
}
