import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Answer, AuthorizedContext } from '../../http/index.ts';
import { endLoginSession } from './end-login-session.ts';
import type { LoginTools } from './login-tools.ts';
import type { LoggedOut } from './schemas.ts';

/**
 * Ends the login of the request with all its tokens, and removes its cookie. Does nothing else if it has already ended.
 */
export async function logOut(
  context: AuthorizedContext,
  { cookies }: Pick<LoginTools, 'cookies'>,
): Promise<Answer<LoggedOut>> {
  const { userId, tokenSourceId, byCookie = false } = context.principal;
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
  return { data: { status: 'logged_out' }, ...(byCookie ? { headers: cookies.clear(context.headers) } : {}) };
}
