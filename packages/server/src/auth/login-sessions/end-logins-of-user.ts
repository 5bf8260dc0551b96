import type { Queries } from '../../database/index.ts';
import { revokeBearerTokensOfSources } from '../bearer-tokens/queries.ts';
import { updateLoginSessionsOfUserEnded } from './queries.ts';

/**
 * Ends all logins of a user with every token that descends from them, except the login named. As in `endLoginSession` the
 * logins are taken first and their tokens by a later statement, so that no refresh leaves a token behind. The caller has
 * written the user's row: a login that is about to open waits for that, and is refused where the password is another by then.
 */
export async function endLoginsOfUser(tx: Queries, userId: string, exceptId?: string): Promise<void> {
  const ended = await updateLoginSessionsOfUserEnded(tx, userId, exceptId);
  if (ended.length > 0) {
    await revokeBearerTokensOfSources(tx, userId, ended);
  }
}
