import type { Queries } from '../../database/index.ts';
import type { Logger } from '../../log/index.ts';
import { updateLeakedOperatorTokenRevoked } from './queries.ts';

/**
 * Revokes an operator token that was sent unencrypted; returns whether there was one to revoke. It has no owner to mail
 * and no organization with an audit log, so the service's log and the list of tokens show it.
 */
export async function revokeLeakedOperatorToken(
  { database, log }: { database: Queries; log: Logger },
  hash: Buffer,
): Promise<boolean> {
  const revoked = await updateLeakedOperatorTokenRevoked(database, { hash });
  if (revoked !== undefined) {
    log.warn({ operator_token_id: revoked.id }, 'an operator token that was sent unencrypted was revoked');
  }
  return revoked !== undefined;
}
