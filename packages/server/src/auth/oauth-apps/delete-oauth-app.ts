import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { endGrantsOfApp } from '../oauth-grants/end-grants.ts';
import { appsOf } from './oauth-app-rules.ts';
import { presentOauthApp } from './present-oauth-app.ts';
import { lockOauthApp, markOauthAppDeleted } from './queries.ts';
import { listLiveClientSecrets, retireClientSecrets } from './secret-queries.ts';

/** Deletes an app that the caller may change: its secrets, its grants and all their tokens end. Throws `not_found`. */
export async function deleteOauthApp(context: AuthorizedContext, id: string): Promise<void> {
  const { organizationId } = context.principal;
  await context.database.transaction(async (tx) => {
    const row = await lockOauthApp(tx, appsOf(context.principal), id);
    if (row === undefined) {
      throw notFound('oauth_app');
    }
    const app = presentOauthApp(row, await listLiveClientSecrets(tx, organizationId, [id]));
    await markOauthAppDeleted(tx, organizationId, id);
    await retireClientSecrets(tx, organizationId, id, 0);
    await endGrantsOfApp(tx, id);
    await recordAudit(tx, actorOf(context), {
      action: 'oauth_app.deleted',
      targetType: 'oauth_app',
      targetId: id,
      before: app,
    });
  });
}
