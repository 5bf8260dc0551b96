import type { Queries } from '../../database/index.ts';
import { updateBearerTokensRevoked } from '../bearer-tokens/queries.ts';
import { updateLoginSessionEnded } from './queries.ts';

/**
 * Ends a login and all its tokens; returns false if it has already ended or belongs to another user. The login is
 * updated first and the tokens by a separate statement: a single statement could miss the token of a refresh that is
 * just committing.
 */
export async function endLoginSession(database: Queries, userId: string, loginSessionId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const ended = await updateLoginSessionEnded(tx, { userId, id: loginSessionId });
    await updateBearerTokensRevoked(tx, { userId, sourceId: loginSessionId });
    return ended > 0;
  });
}
