import { actorOf, recordAudit } from '../../audit/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { insertPortalLink } from './queries.ts';

/** What a program gets, to open in its user's browser. */
export interface PortalLink {
  url: string;
  /** ISO 8601. */
  expires_at: string;
}

/**
 * Creates a link to the webhooks screens of the caller's organization, valid for 15 minutes and once. Its secret is in
 * the fragment, which browsers do not send anywhere: not to servers, and not to the next page as referrer.
 */
export async function createPortalLink(
  context: AuthorizedContext,
  { baseUrl }: { baseUrl: string },
): Promise<PortalLink> {
  const { organizationId, userId } = context.principal;
  const token = newToken(TOKEN_PREFIXES.portalLink);
  const id = newId('portalLink');
  const { expires_at: expiresAt } = await context.database.transaction(async (tx) => {
    await recordAudit(tx, actorOf(context), { action: 'portal_link.created', targetType: 'portal_link', targetId: id });
    return insertPortalLink(tx, { hash: hashToken(token), id, organizationId, userId, ttlSeconds: LINK_TTL_SECONDS });
  });
  return { url: `${baseUrl}/portal#${token}`, expires_at: expiresAt.toISOString() };
}

const LINK_TTL_SECONDS = 15 * 60;
