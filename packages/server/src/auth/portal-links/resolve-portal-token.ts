import type { Queries } from '../../database/index.ts';
import type { TokenOutcome } from '../../http/index.ts';
import { hashToken, isWellFormedToken } from '../../security/index.ts';
import { findPortalSession } from './queries.ts';

/**
 * Checks whether the token of a portal session is valid. It ends with the membership or role of the admin who created
 * the link, at the next request. Such requests are rare, so it is looked up separately.
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
      // Rate limits and idempotency keys are its own: it must not use up the limits of its creator's programs.
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
