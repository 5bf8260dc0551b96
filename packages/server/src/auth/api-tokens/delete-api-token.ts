import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { revokeBearerTokens } from '../bearer-tokens/queries.ts';
import { revokeApiToken, type TokenOwner } from './queries.ts';

/** Ends an API token of its owner at once. Throws `not_found` for one that is another's, or gone. */
export async function deleteApiToken(database: Queries, owner: TokenOwner, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await revokeApiToken(tx, owner, id))) {
      throw notFound('api_token');
    }
    await revokeBearerTokens(tx, owner.userId, id);
  });
}
