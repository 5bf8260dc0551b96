import type { Queries } from '../../database/index.ts';
import type { Principal, TokenOutcome } from '../../http/index.ts';
import { hashToken, isWellFormedToken } from '../../security/index.ts';
import { findOperatorToken, type PresentedTokenRow, updateOperatorTokenLastUse } from './queries.ts';

/**
 * Finds out whether an operator token lives. Few requests carry one, so it is looked up by itself, apart from those of
 * members, whose look-up joins it to an organization that it does not have. It is the same for every organization that
 * a request names.
 */
export async function resolveOperatorToken(database: Queries, token: string): Promise<TokenOutcome> {
  if (!isWellFormedToken(token)) {
    return { kind: 'invalid' };
  }
  const row = await findOperatorToken(database, { hash: hashToken(token) });
  const outcome = judgeOperatorToken(row);
  if (outcome.kind === 'valid' && row?.is_note_due === true) {
    await updateOperatorTokenLastUse(database, { id: row.id });
  }
  return outcome;
}

/** What the row of a token means. One that is revoked and expired is invalid, as with every other kind. */
function judgeOperatorToken(row: PresentedTokenRow | undefined): TokenOutcome {
  if (row === undefined || row.is_revoked) {
    return { kind: 'invalid' };
  }
  if (row.is_expired && row.expires_at !== null) {
    return { kind: 'expired', expiredAtMs: row.expires_at.getTime() };
  }
  return { kind: 'valid', principal: operatorWith(row.id) };
}

/** A principal without any organization, role or scope that would allow it something; see Principal. */
function operatorWith(tokenId: string): Principal {
  return {
    userId: tokenId,
    organizationId: '',
    role: 'member',
    tokenKind: 'operator',
    tokenSourceId: tokenId,
    scopes: [],
    clockOffsetMs: 0,
    tier: 'enterprise',
  };
}
