import type { Queries } from '../../database/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { deleteSetupLinksOfUser, insertSetupLink } from './setup-link-queries.ts';

/** A one-time link. Only this result contains its secret. */
export interface SetupLink {
  token: string;
  url: string;
  /** ISO 8601. */
  expiresAt: string;
}

/**
 * Creates the link for a new staff member to set a password and two-factor, replacing earlier links; without a user,
 * the link for the first owner of a new installation. It is valid for 30 minutes.
 */
export async function createSetupLink(tx: Queries, authUrl: string, userId: string | null): Promise<SetupLink> {
  const token = newToken(TOKEN_PREFIXES.staffSetup);
  if (userId !== null) {
    await deleteSetupLinksOfUser(tx, { userId });
  }
  const { expires_at: expiresAt } = await insertSetupLink(tx, {
    hash: hashToken(token),
    userId,
    ttlSeconds: TTL_SECONDS,
  });
  return { token, url: `${authUrl}/staff-setup?token=${token}`, expiresAt: expiresAt.toISOString() };
}

const TTL_SECONDS = 30 * 60;
