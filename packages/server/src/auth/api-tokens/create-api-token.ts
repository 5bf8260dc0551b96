import type { Queries } from '../../database/index.ts';
import { invalidRequest } from '../../http/index.ts';
import { parseExpiry } from '../parse-expiry.ts';
import { type Issuing, issueApiToken, lockRoleOfOwner } from './issue-api-token.ts';
import type { ApiTokenInput, CreatedApiToken } from './schemas.ts';

/**
 * Creates an API token for a user in one organization. The response contains the secret, which is not stored. Throws
 * `forbidden` for scopes that the role does not allow, `validation_failed` for an expiry in the past.
 */
export async function createApiToken(
  database: Queries,
  issuing: Issuing,
  input: ApiTokenInput,
): Promise<CreatedApiToken> {
  // Not in the schema: validation libraries compare all pairs of items, which is far slower than a set.
  if (new Set(input.scopes).size < input.scopes.length) {
    throw invalidRequest('scopes', 'length', 'scopes must not contain duplicates.');
  }
  const terms = { name: input.name.trim(), scopes: input.scopes, expiresAt: parseExpiry(input.expires_at ?? null) };
  return database.transaction(async (tx) => {
    const role = await lockRoleOfOwner(tx, issuing);
    return issueApiToken(tx, issuing, role, terms);
  });
}
