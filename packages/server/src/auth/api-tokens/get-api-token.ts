import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { presentApiToken } from './present-api-token.ts';
import { findApiToken } from './queries.ts';
import type { ApiToken } from './schemas.ts';

/**
 * One of the user's API tokens in the current organization. Throws `not_found` for someone else's, and for a revoked
 * one.
 */
export async function getApiToken({ database, principal }: AuthorizedContext, id: string): Promise<ApiToken> {
  const { organizationId, userId } = principal;
  const row = await findApiToken(database, { organizationId, userId, id });
  if (row === undefined) {
    throw notFound('api_token');
  }
  return presentApiToken(row);
}
