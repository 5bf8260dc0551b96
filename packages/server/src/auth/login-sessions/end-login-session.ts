import type { Queries } from '../../database/index.ts';
import { revokeBearerTokens } from '../bearer-tokens/queries.ts';
import { updateLoginSessionEnded } from './queries.ts';

/**
 * Ends a login and every token that descends from it; returns false when it is over already, or another's. The login's row
 * is taken first and the tokens by a later statement: in one, a refresh that was just committing could leave a token behind
 * that the statement did not see.
 */
export async function endLoginSession(database: Queries, userId: string, loginSessionId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const hasEnded = await updateLoginSessionEnded(tx, userId, loginSessionId);
    await revokeBearerTokens(tx, userId, loginSessionId);
    return hasEnded;
  });
}
