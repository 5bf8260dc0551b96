import type { Queries } from '../../database/index.ts';
import type { Logger } from '../../log/index.ts';
import { revokeOperatorTokenByHash } from './queries.ts';

/**
 * Ends an operator token that was seen in the clear; returns whether there was one to end. It has no owner who could be
 * mailed and no organization with an audit log: the log of the service tells, and so does the list of tokens.
 */
export async function revokeLeakedOperatorToken(
  { database, log }: { database: Queries; log: Logger },
  hash: Buffer,
): Promise<boolean> {
  const id = await revokeOperatorTokenByHash(database, hash);
  if (id !== undefined) {
    log.warn({ operator_token_id: id }, 'an operator token that was seen in the clear was revoked');
  }
  return id !== undefined;
}
