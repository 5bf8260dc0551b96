import type { Queries } from '../../database/index.ts';
import type { RequestContext } from '../../http/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { findUserById } from '../../users/index.ts';
import { NOBODY, recordAccountAudit } from '../record-account-audit.ts';

/** From where a refresh token came. */
export type RefreshContext = Pick<RequestContext, 'database' | 'requestId' | 'clientAddress'>;

/** Tells of a login that ended since a used refresh token came again: the user by mail, and all their organizations. */
export async function tellOfReuse(
  tx: Queries,
  { requestId, clientAddress }: RefreshContext,
  mailer: Mailer,
  login: { userId: string; id: string },
): Promise<void> {
  // Which of the two who hold the token sent it is not known.
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
  const user = await findUserById(tx, login.userId);
  if (user !== undefined) {
    await mailer.queue(tx, { kind: 'refresh-token-reused', recipient: user.email, content: CONTENT });
  }
}

const CONTENT = {
  subject: 'A login of yours was ended: somebody else may have its token',
  paragraphs: [
    'Hello,',
    'a refresh token of one of your logins was used a second time. Each works once, so somebody may have copied it. That login was ended at once, with all its tokens; log in again.',
    'If none of your own programs may have sent an old token, change your password and look over your other logins.',
  ],
};
