import type { Queries } from '../../database/index.ts';
import { updateLastLogin } from '../../users/index.ts';
import { ownerWithoutToken, recordAccountAudit } from '../record-account-audit.ts';
import type { LoginContext, LoginMethod } from './authentication.ts';

/**
 * Records a complete login of a user, whose row the caller has locked: its time, and its method and client in the audit
 * logs of all their organizations.
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
