import type { Queries } from '../../database/index.ts';
import { updateBearerTokensOfSourcesRevoked } from '../bearer-tokens/queries.ts';
import { updateLoginSessionsOfUserEnded } from './queries.ts';

/**
 * Ends all logins of a user with all their tokens, except the given login. As in `endLoginSession`, the logins are
 * updated first and their tokens by a separate statement, so that no refresh leaves a token behind. The caller has
 * written the user's row: a login in progress waits for it, and is refused if the password has changed by then.
 */
export async function endLoginsOfUser(tx: Queries, userId: string, exceptId?: string): Promise<void> {
  const ended = await updateLoginSessionsOfUserEnded(tx, { userId, exceptId: exceptId ?? '' });
  if (ended.length > 0) {
    await updateBearerTokensOfSourcesRevoked(tx, { userId, sourceIds: ended.map((login) => login.id) });
  }
}
