import { actorOf, recordAudit } from '../../audit/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { endLoginSession } from './end-login-session.ts';

/** Ends the login of the request with all its tokens. Nothing more happens where it was over a moment before. */
export async function logOut(context: AuthorizedContext): Promise<void> {
  const { userId, tokenSourceId } = context.principal;
  await context.database.transaction(async (tx) => {
    if (await endLoginSession(tx, userId, tokenSourceId)) {
      await recordAudit(tx, actorOf(context), {
        action: 'login_session.ended',
        targetType: 'login_session',
        targetId: tokenSourceId,
        after: { reason: 'logout' },
      });
    }
  });
}
