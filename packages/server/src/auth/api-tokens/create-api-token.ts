import type { Queries } from '../../database/index.ts';
import { httpError, invalidRequest, type Role } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { hashToken, newToken } from '../../security/index.ts';
import type { AuthDeps } from '../auth-tools.ts';
import { insertApiBearerToken } from '../bearer-tokens/queries.ts';
import { presentApiToken } from './present-api-token.ts';
import { type ApiTokenRow, insertApiToken, type TokenOwner } from './queries.ts';
import type { ApiTokenInput, CreatedApiToken } from './schemas.ts';
import { findMissingRole } from './scope-rules.ts';

/** The characters of a token that are shown for ever: what it begins with, and four that tell it from others. */
const SHOWN_CHARACTERS = 13;

/**
 * Makes an API token for a user in one organization. The answer holds the secret, which is not kept.
 * Throws `forbidden` for scopes that the role does not allow, `validation_failed` for an expiry in the past.
 */
export async function createApiToken(
  database: Queries,
  prefix: AuthDeps['apiTokenPrefix'],
  owner: TokenOwner & { role: Role },
  input: ApiTokenInput,
): Promise<CreatedApiToken> {
  // Not a rule of the schema: finding all pairs of equal items takes a library far longer than a set.
  if (new Set(input.scopes).size < input.scopes.length) {
    throw invalidRequest('scopes', 'length', 'scopes must not name a scope twice.');
  }
  requireScopesWithinRole(owner.role, input.scopes);
  const expiresAt = parseExpiry(input.expires_at ?? null);
  const token = newToken(prefix);
  const row = await database.transaction(async (tx) => {
    const written = await insertApiToken(tx, owner, {
      id: newId('apiToken'),
      name: input.name.trim(),
      prefix: token.slice(0, SHOWN_CHARACTERS),
      scopes: input.scopes,
      expiresAt,
    });
    if (written === undefined) {
      throw httpError('validation_failed', 'expires_at must be in the future.', {
        details: { field: 'expires_at', reason: 'past' },
      });
    }
    await insertApiBearerToken(tx, bearerTokenOf(owner, token, written));
    return written;
  });
  return { ...presentApiToken(row), token };
}

function requireScopesWithinRole(role: Role, scopes: ApiTokenInput['scopes']): void {
  const missing = findMissingRole(role, scopes);
  if (missing !== undefined) {
    throw httpError('forbidden', `A token with these scopes needs the role ${missing}.`, {
      details: { required_role: missing },
    });
  }
}

/**
 * The schema lets a few times pass that have no instant here: leap seconds, zones by name (RFC 9557), and what a zone
 * carries past the year 9999, which could not be shown again.
 */
function parseExpiry(text: string | null): Date | null {
  const expiresAtMs = text === null ? null : Date.parse(text);
  if (Number.isNaN(expiresAtMs) || (expiresAtMs !== null && expiresAtMs > LATEST_EXPIRY)) {
    throw invalidRequest('expires_at', 'format', 'expires_at must be a time such as 2027-01-31T12:00:00Z.');
  }
  return expiresAtMs === null ? null : new Date(expiresAtMs);
}

const LATEST_EXPIRY = Date.parse('9999-12-31T23:59:59.999Z');

function bearerTokenOf(owner: TokenOwner, token: string, row: ApiTokenRow) {
  return {
    hash: hashToken(token),
    userId: owner.userId,
    organizationId: owner.organizationId,
    sourceId: row.id,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
