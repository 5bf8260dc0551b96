import type { Queries } from '../../database/index.ts';
import { revokeBearerTokens } from '../bearer-tokens/queries.ts';
import { revokeApiToken, type TokenOwner } from './queries.ts';

/** Ends an API token of its owner at once; answers false when it is another's, unknown or revoked already. */
export async function endApiToken(database: Queries, owner: TokenOwner, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const isRevoked = await revokeApiToken(tx, owner, id);
    if (isRevoked) {
      await revokeBearerTokens(tx, owner.userId, id);
    }
    return isRevoked;
  });
}
