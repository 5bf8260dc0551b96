import { actorWithoutToken, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type LockedGrantRow, lockGrant } from '../grants/queries.ts';
import { deleteAccessToken, deleteFamily, findGrantKeyOfAccessToken } from './artifact-queries.ts';
import type { RequestOrigin } from './request-origin.ts';

/** Why a family of tokens ends: its app revoked it, or a single-use code or token was reused. */
export type EndOfFamily = 'revoked_by_app' | 'code_replayed' | 'refresh_token_reused';

/**
 * Ends a family of tokens, and records it in the audit log. The grant is locked first, by a separate statement: this
 * waits for a token being written, and the deletion, with its newer snapshot, sees it.
 */
export async function endFamily(
  database: Queries,
  family: { grantId: string; hash: Buffer },
  end: EndOfFamily,
  origin: RequestOrigin,
): Promise<void> {
  await database.transaction(async (tx) => {
    const grant = await lockGrant(tx, { grantId: family.grantId });
    const deleted = await deleteFamily(tx, { familyHash: family.hash });
    if (deleted === 0 || grant === undefined) {
      return;
    }
    if (end === 'revoked_by_app') {
      await recordRevocation(tx, grant, 'refresh_token', origin);
      return;
    }
    await recordAudit(tx, actorWithoutToken(origin, grant.organization_id, null), {
      action: 'oauth_grant.tokens_ended',
      targetType: 'oauth_grant',
      targetId: grant.id,
      after: { reason: end },
    });
  });
}

/** Ends one access token revoked by its app, and records it in the audit log. */
export async function endAccessToken(database: Queries, idHash: Buffer, origin: RequestOrigin): Promise<void> {
  await database.transaction(async (tx) => {
    const token = await findGrantKeyOfAccessToken(tx, { idHash });
    const grant = token === undefined ? undefined : await lockGrant(tx, { grantId: token.grant_key });
    const deleted = await deleteAccessToken(tx, { idHash });
    if (deleted > 0 && grant !== undefined) {
      await recordRevocation(tx, grant, 'access_token', origin);
    }
  });
}

function recordRevocation(
  tx: Queries,
  grant: LockedGrantRow,
  tokenType: 'access_token' | 'refresh_token',
  origin: RequestOrigin,
): Promise<void> {
  return recordAudit(tx, actorWithoutToken(origin, grant.organization_id, null), {
    action: 'oauth_token.revoked',
    targetType: 'oauth_grant',
    targetId: grant.id,
    after: { by: 'app', token_type: tokenType },
  });
}
