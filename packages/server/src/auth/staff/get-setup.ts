import { createHmac } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError, type StaffRole } from '../../http/index.ts';
import { hashToken } from '../../security/index.ts';
import type { AccountTools } from '../accounts/account-tools.ts';
import { requireLiveToken } from '../one-time-tokens/require-live-token.ts';
import { encodeTotpSecret, otpauthUrl } from '../two-factor/code-rules.ts';
import { findStaffMember } from './queries.ts';
import { findSetupLink } from './setup-link-queries.ts';

/** What the page of a link shows before its form is sent. */
export interface Setup {
  /** Undefined for the link of a new installation, where the person enters their own details. */
  account: { email: string; name: string } | undefined;
  role: StaffRole;
  secret: string;
  /** What an authenticator app reads from the QR code. */
  otpauthUrl: string;
}

/**
 * Reads a one-time link without spending it, because mail scanners follow links. Throws `invalid_token` for a link that
 * is unknown, used or superseded, and `token_expired`.
 */
export async function getSetup(
  database: Queries,
  tools: Pick<AccountTools, 'masterKey' | 'issuer'>,
  token: string,
): Promise<Setup> {
  const link = await findSetupLink(database, { hash: hashToken(token) });
  requireLiveToken(link);
  const secret = secretOf(tools, token);
  if (link.user_id === null) {
    return { account: undefined, role: 'owner', secret, otpauthUrl: otpauthUrl(tools.issuer, 'owner', secret) };
  }
  const member = await findStaffMember(database, { userId: link.user_id });
  if (member === undefined || member.two_factor_enabled) {
    throw setupLinkIsOver();
  }
  const { email, name, role } = member;
  return { account: { email, name }, role, secret, otpauthUrl: otpauthUrl(tools.issuer, email, secret) };
}

/**
 * The TOTP secret of a link: derived from it, so that the page shows the same one until setup is complete, without a
 * stored row.
 */
function secretOf({ masterKey }: Pick<AccountTools, 'masterKey'>, token: string): string {
  const bytes = createHmac('sha256', masterKey.deriveKey('staff-setup-totp')).update(token).digest();
  return encodeTotpSecret(bytes);
}

/** The error for a link that was used or superseded, or whose user was removed. */
export function setupLinkIsOver(): ApiError {
  return httpError('invalid_token', 'The link is invalid or was already used. Ask for a new one.');
}
