import type { Queries } from '../../database/index.ts';
import { updateBearerTokensRevoked } from '../bearer-tokens/queries.ts';
import { updateLoginSessionEnded } from './queries.ts';

/**
 * Ends a login and every token that descends from it; returns false when it is over already, or another user's. The login's
 * row is updated first and the tokens by a later statement: in one, a refresh that is just committing could leave a token
 * behind that the statement did not see.
 */
export async function endLoginSession(database: Queries, userId: string, loginSessionId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const ended = await updateLoginSessionEnded(tx, { userId, id: loginSessionId });
    await updateBearerTokensRevoked(tx, { userId, sourceId: loginSessionId });
    return ended > 0;
  });
}
