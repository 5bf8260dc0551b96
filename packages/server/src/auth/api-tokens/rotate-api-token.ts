import { recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError, isScope, notFound } from '../../http/index.ts';
import { updateBearerTokensExpiry } from '../bearer-tokens/queries.ts';
import { parseExpiry } from '../parse-expiry.ts';
import { expiryOfSuccessor } from './expiry-rules.ts';
import { type Issuing, issueApiToken, lockRoleOfOwner, type TokenTerms } from './issue-api-token.ts';
import { presentApiToken } from './present-api-token.ts';
import { type LockedApiTokenRow, lockApiToken, updateApiTokenReplaced } from './rotation-queries.ts';
import { type CreatedApiToken, DEFAULT_OVERLAP_SECONDS, type RotationInput } from './schemas.ts';

/**
 * Creates a token that replaces an old one; the old one stays valid for the overlap, or until its own expiry. Throws
 * `not_found`, `conflict` for a token that is replaced or expired, and everything that creating a token throws.
 */
export async function rotateApiToken(
  database: Queries,
  issuing: Issuing,
  id: string,
  input: RotationInput,
): Promise<CreatedApiToken> {
  const wishedExpiry = input.expires_at === undefined ? undefined : parseExpiry(input.expires_at);
  const overlapSeconds = input.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS;
  return database.transaction(async (tx) => {
    const role = await lockRoleOfOwner(tx, issuing);
    const old = await lockApiToken(tx, { ...issuing.owner, id });
    if (old === undefined) {
      throw notFound('api_token');
    }
    if (old.replaced_by !== null || old.is_expired) {
      throw notRotatable();
    }
    const successor = await issueApiToken(tx, issuing, role, termsOfSuccessor(old, wishedExpiry));
    const replaced = await updateApiTokenReplaced(tx, {
      ...issuing.owner,
      id,
      replacedBy: successor.id,
      overlapSeconds,
    });
    if (replaced === undefined) {
      // It expired while its successor was created.
      throw notRotatable();
    }
    await updateBearerTokensExpiry(tx, {
      userId: issuing.owner.userId,
      sourceId: id,
      expiresAt: replaced.expires_at,
    });
    await recordAudit(tx, issuing.actor, {
      action: 'api_token.rotated',
      targetType: 'api_token',
      targetId: id,
      before: presentApiToken(old),
      after: presentApiToken(replaced),
    });
    return successor;
  });
}

function termsOfSuccessor(old: LockedApiTokenRow, wishedExpiry: Date | null | undefined): TokenTerms {
  const sameLife = expiryOfSuccessor({ createdAt: old.created_at, expiresAt: old.expires_at }, old.read_at);
  return {
    name: old.name,
    scopes: old.scopes.filter(isScope),
    expiresAt: wishedExpiry === undefined ? sameLife : wishedExpiry,
  };
}

function notRotatable(): ApiError {
  return httpError('conflict', 'This token has already been rotated or has expired. Create a new one.');
}
