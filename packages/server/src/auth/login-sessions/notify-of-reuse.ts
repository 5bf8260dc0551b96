import type { Queries } from '../../database/index.ts';
import type { RequestContext } from '../../http/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { findUserById } from '../../users/index.ts';
import { NOBODY, recordAccountAudit } from '../record-account-audit.ts';

/** Where a refresh token came from. */
export type RefreshContext = Pick<RequestContext, 'database' | 'requestId' | 'clientAddress'>;

/**
 * Reports a login that ended because a used refresh token was sent again: to the user by mail, and in the audit logs of
 * all their organizations.
 */
export async function notifyOfReuse(
  tx: Queries,
  { requestId, clientAddress }: RefreshContext,
  mailer: Mailer,
  login: { userId: string; id: string },
): Promise<void> {
  // Two parties hold the token; which of them sent it is unknown.
  await recordAccountAudit(
    tx,
    login.userId,
    { ...NOBODY, requestId, clientAddress },
    {
      action: 'login_session.ended',
      targetType: 'login_session',
      targetId: login.id,
      after: { reason: 'refresh_token_reused' },
    },
  );
  const user = await findUserById(tx, { userId: login.userId });
  if (user !== undefined) {
    await mailer.queue(tx, { kind: 'refresh-token-reused', recipient: user.email, content: CONTENT });
  }
}

const CONTENT = {
  subject: 'One of your sessions was ended for your security',
  paragraphs: [
    'Hello,',
    'A refresh token of one of your sessions was used twice. Each refresh token works only once, so someone may have copied it. We ended that session and revoked all of its tokens. Please log in again.',
    'This can also happen if one of your own programs sends an old token. Otherwise, change your password and review your other sessions.',
  ],
};
