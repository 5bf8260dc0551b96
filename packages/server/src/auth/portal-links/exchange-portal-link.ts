import { recordAudit } from '../../audit/index.ts';
import { type ApiError, httpError, type RequestContext } from '../../http/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { findPortalLink, updatePortalLinkExchanged } from './queries.ts';

/** What the page keeps in memory. */
export interface PortalSession {
  access_token: string;
  /** ISO 8601. */
  expires_at: string;
  organization_id: string;
}

/**
 * Exchanges the secret of a link for the token of a session, once. Throws `invalid_token` for a link that is unknown or was
 * used, and `token_expired`.
 */
export async function exchangePortalLink(
  { database, requestId, clientAddress }: RequestContext,
  secret: string,
): Promise<PortalSession> {
  const token = newToken(TOKEN_PREFIXES.portalSession);
  const hash = hashToken(secret);
  const exchanged = await database.transaction(async (tx) => {
    const row = await updatePortalLinkExchanged(tx, {
      hash,
      sessionHash: hashToken(token),
      ttlSeconds: SESSION_TTL_SECONDS,
    });
    if (row !== undefined) {
      const credential = { credentialKind: 'portal', credentialId: row.id } as const;
      await recordAudit(
        tx,
        { organizationId: row.organization_id, userId: row.user_id, ...credential, requestId, clientAddress },
        { action: 'portal_link.exchanged', targetType: 'portal_link', targetId: row.id },
      );
    }
    return row;
  });
  if (exchanged === undefined) {
    throw refusalOf(await findPortalLink(database, { hash }));
  }
  const { organization_id, session_expires_at: expiresAt } = exchanged;
  return { access_token: token, expires_at: expiresAt.toISOString(), organization_id };
}

function refusalOf(link: { expires_at: Date; is_spent: boolean } | undefined): ApiError {
  return link === undefined || link.is_spent
    ? httpError('invalid_token', 'The link is invalid or was already used. Ask for a new one.')
    : httpError('token_expired', 'The link has expired. Ask for a new one.', {
        details: { expired_at: link.expires_at.toISOString() },
      });
}

/** As long as a login's access token by default. The page cannot renew it: the embedding program creates a new link. */
const SESSION_TTL_SECONDS = 60 * 60;
