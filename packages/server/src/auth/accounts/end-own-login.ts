import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import type { ConnectedApps } from '../connected-apps.ts';
import { endLoginSession } from '../login-sessions/end-login-session.ts';

/**
 * Ends a login of the caller: the current one, another one, or one at the authorization server, which leaves grants of
 * apps untouched. Throws `not_found` if it has already ended or belongs to another user.
 */
export async function endOwnLogin(
  context: AuthorizedContext,
  tools: { connectedApps: ConnectedApps },
  id: string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    if (!(await endLogin(tx, tools, context.principal.userId, id))) {
      throw notFound('session');
    }
    await recordAudit(tx, actorOf(context), {
      action: 'login_session.ended',
      targetType: 'login_session',
      targetId: id,
    });
  });
}

async function endLogin(
  tx: Queries,
  { connectedApps }: { connectedApps: ConnectedApps },
  userId: string,
  id: string,
): Promise<boolean> {
  return (await endLoginSession(tx, userId, id)) || (await connectedApps.endBrowserLogin(tx, userId, id));
}
