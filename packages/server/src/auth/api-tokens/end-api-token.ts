import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { revokeBearerTokens } from '../bearer-tokens/queries.ts';
import { presentApiToken } from './present-api-token.ts';
import { revokeApiToken, type TokenOwner } from './queries.ts';

/** Ends an API token of its owner at once; returns false when it is another's, unknown or revoked already. */
export async function endApiToken(
  database: Queries,
  owner: TokenOwner,
  actor: AuditActor,
  id: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const revoked = await revokeApiToken(tx, owner, id);
    if (revoked === undefined) {
      return false;
    }
    await revokeBearerTokens(tx, owner.userId, id);
    await recordAudit(tx, actor, {
      action: 'api_token.revoked',
      targetType: 'api_token',
      targetId: id,
      before: presentApiToken(revoked),
    });
    return true;
  });
}
