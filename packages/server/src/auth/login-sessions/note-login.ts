import type { Queries } from '../../database/index.ts';
import { updateLastLogin } from '../../users/index.ts';
import { ownerWithoutToken, recordAccountAudit } from '../record-account-audit.ts';
import type { LoginContext, LoginMethod } from './authentication.ts';

/**
 * Notes a complete login of a user, whose row the caller holds: when it was, and in the audit logs of all their organizations
 * how and through what it was made.
 */
export async function noteLogin(
  tx: Queries,
  context: Pick<LoginContext, 'requestId' | 'clientAddress'>,
  userId: string,
  how: { method: LoginMethod; via?: 'oauth' | 'invitation' },
): Promise<void> {
  await updateLastLogin(tx, { userId });
  await recordAccountAudit(tx, userId, ownerWithoutToken(context, userId), {
    action: 'login.succeeded',
    targetType: 'user',
    targetId: userId,
    after: how,
  });
}
