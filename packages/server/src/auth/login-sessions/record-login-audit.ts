import type { Queries } from '../../database/index.ts';
import { ownerWithoutToken, recordAccountAudit } from '../record-account-audit.ts';
import type { LoginContext, LoginMethod } from './authentication.ts';

/** Notes a complete login in the audit logs of all organizations of the user, with how and through what it was made. */
export async function recordLoginAudit(
  tx: Queries,
  context: Pick<LoginContext, 'requestId' | 'clientAddress'>,
  userId: string,
  how: { method: LoginMethod; via?: 'oauth' | 'invitation' },
): Promise<void> {
  await recordAccountAudit(tx, userId, ownerWithoutToken(context, userId), {
    action: 'login.succeeded',
    targetType: 'user',
    targetId: userId,
    after: how,
  });
}
