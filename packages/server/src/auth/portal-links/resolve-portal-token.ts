import type { Queries } from '../../database/index.ts';
import type { TokenOutcome } from '../../http/index.ts';
import { hashToken, isWellFormedToken } from '../../security/index.ts';
import { findPortalSession } from './queries.ts';

/**
 * Finds out whether the token of a portal's session lives. It ends with the membership or the role of the admin who created
 * the link, at the next request. Few requests carry one, so it is looked up by itself.
 */
export async function resolvePortalToken(
  database: Queries,
  token: string,
  organizationId: string | undefined,
): Promise<TokenOutcome> {
  const row = isWellFormedToken(token)
    ? await findPortalSession(database, { sessionHash: hashToken(token) })
    : undefined;
  if (row === undefined || row.role === null) {
    return { kind: 'invalid' };
  }
  if (row.is_expired) {
    return { kind: 'expired', expiredAtMs: row.session_expires_at.getTime() };
  }
  if (organizationId !== undefined && organizationId !== row.organization_id) {
    return { kind: 'foreign-organization' };
  }
  return {
    kind: 'valid',
    principal: {
      // Counted, and told apart by Idempotency-Key, by itself: it must not use up what its creator's programs may ask.
      userId: row.id,
      organizationId: row.organization_id,
      role: row.role,
      tokenKind: 'portal',
      tokenSourceId: row.id,
      scopes: ['read:org', 'admin:org'],
      clockOffsetMs: row.clock_offset_ms,
      tier: row.tier,
      portal: { createdBy: row.user_id },
      ...(row.is_suspended ? { isSuspended: true as const } : {}),
    },
  };
}
