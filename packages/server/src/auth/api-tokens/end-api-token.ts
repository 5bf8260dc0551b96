import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { updateBearerTokensRevoked } from '../bearer-tokens/queries.ts';
import { presentApiToken } from './present-api-token.ts';
import { type TokenOwner, updateApiTokenRevoked } from './queries.ts';

/** Revokes an API token immediately; returns false if it belongs to someone else, is unknown or was revoked already. */
export async function endApiToken(
  database: Queries,
  owner: TokenOwner,
  actor: AuditActor,
  id: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const revoked = await updateApiTokenRevoked(tx, { ...owner, id });
    if (revoked === undefined) {
      return false;
    }
    await updateBearerTokensRevoked(tx, { userId: owner.userId, sourceId: id });
    await recordAudit(tx, actor, {
      action: 'api_token.revoked',
      targetType: 'api_token',
      targetId: id,
      before: presentApiToken(revoked),
    });
    return true;
  });
}
