import type { Queries } from '../../database/index.ts';
import type { Logger } from '../../log/index.ts';
import { updateLeakedOperatorTokenRevoked } from './queries.ts';

/**
 * Revokes an operator token that was seen in the clear; returns whether there was one to revoke. It has no owner who could be
 * mailed and no organization with an audit log: the service's log shows it, and so does the list of tokens.
 */
export async function revokeLeakedOperatorToken(
  { database, log }: { database: Queries; log: Logger },
  hash: Buffer,
): Promise<boolean> {
  const revoked = await updateLeakedOperatorTokenRevoked(database, { hash });
  if (revoked !== undefined) {
    log.warn({ operator_token_id: revoked.id }, 'an operator token that was seen in the clear was revoked');
  }
  return revoked !== undefined;
}
