import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { lockLiveLoginSession } from './queries.ts';

/**
 * Locks the login of a request against its end, until the transaction is over. For what outlives a login: without this lock,
 * a request that ends a login with its API tokens would miss a token that another request is just creating. Take it before
 * any lock on an organization. Throws `invalid_token` when the login is over.
 */
export async function requireLiveLogin(tx: Queries, userId: string, loginSessionId: string): Promise<void> {
  if ((await lockLiveLoginSession(tx, { userId, id: loginSessionId })) === 0) {
    throw httpError('invalid_token', 'This session has ended. Log in again.');
  }
}
