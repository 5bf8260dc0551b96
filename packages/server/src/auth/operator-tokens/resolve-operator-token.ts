import type { Queries } from '../../database/index.ts';
import type { Principal, StaffRole, TokenOutcome } from '../../http/index.ts';
import { hashToken, isWellFormedToken } from '../../security/index.ts';
import { actForOrganization } from '../acting/act-for-organization.ts';
import { findOperatorToken, type PresentedTokenRow, updateOperatorTokenLastUse } from './queries.ts';

/**
 * Checks whether an operator token is valid. Such requests are rare, so it is looked up separately from the tokens of
 * members, whose look-up joins an organization that it does not have. It acts for the organization that the request
 * names, if any.
 */
export async function resolveOperatorToken(
  database: Queries,
  token: string,
  organizationId: string | undefined,
): Promise<TokenOutcome> {
  if (!isWellFormedToken(token)) {
    return { kind: 'invalid' };
  }
  const row = await findOperatorToken(database, { hash: hashToken(token) });
  const outcome = judgeOperatorToken(row);
  if (outcome.kind === 'valid' && row?.is_note_due === true) {
    await updateOperatorTokenLastUse(database, { id: row.id });
  }
  return outcome.kind !== 'valid' || organizationId === undefined
    ? outcome
    : actForOrganization(database, outcome.principal, organizationId);
}

/** Judges the row of a token. A revoked and expired one is invalid, as with every other kind. */
function judgeOperatorToken(row: PresentedTokenRow | undefined): TokenOutcome {
  if (row === undefined || row.is_revoked) {
    return { kind: 'invalid' };
  }
  if (row.is_expired && row.expires_at !== null) {
    return { kind: 'expired', expiredAtMs: row.expires_at.getTime() };
  }
  return { kind: 'valid', principal: operatorWith(row.id, row.role) };
}

/** A principal without an organization, or a role or scope in one; see Principal. */
function operatorWith(tokenId: string, role: StaffRole): Principal {
  return {
    userId: tokenId,
    organizationId: '',
    role: 'member',
    tokenKind: 'operator',
    tokenSourceId: tokenId,
    scopes: [],
    clockOffsetMs: 0,
    tier: 'enterprise',
    staff: { role, passedTwoFactor: true },
  };
}
