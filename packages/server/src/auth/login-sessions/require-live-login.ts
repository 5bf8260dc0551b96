import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { lockLiveLoginSession } from './queries.ts';

/**
 * Keeps the login of a request from ending until the transaction ends. For changes that outlive a login: without this
 * lock, a request that ends a login with its API tokens would miss a token that another request is just creating. Take
 * it before any lock on an organization. Throws `invalid_token` if the login has ended.
 */
export async function requireLiveLogin(tx: Queries, userId: string, loginSessionId: string): Promise<void> {
  if ((await lockLiveLoginSession(tx, { userId, id: loginSessionId })) === 0) {
    throw httpError('invalid_token', 'This session has ended. Log in again.');
  }
}
