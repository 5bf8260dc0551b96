import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { originsOf } from './app-origins.ts';
import { appsOf, checkAppName, checkAppScopes, checkFlows, checkRedirectUris } from './app-rules.ts';
import { replaceAppOrigins } from './origin-queries.ts';
import { presentOauthApp } from './present-oauth-app.ts';
import { lockOauthApp, updateLockedOauthApp } from './queries.ts';
import type { OauthApp, OauthAppChanges } from './schemas.ts';
import { listLiveClientSecrets } from './secret-queries.ts';

/**
 * Changes an app that the caller may change. Tokens created from now on lack the scopes that it loses; those that it
 * gains need its users' consent. Throws `not_found`, and the errors of creation for its input.
 */
export async function updateOauthApp(
  context: AuthorizedContext,
  id: string,
  changes: OauthAppChanges,
): Promise<OauthApp> {
  checkAppName(changes.name ?? '');
  checkAppScopes(changes.scopes ?? []);
  const { organizationId } = context.principal;
  return context.database.transaction(async (tx) => {
    const row = await lockOauthApp(tx, { ...appsOf(context.principal), id });
    if (row === undefined) {
      throw notFound('oauth_app');
    }
    const { redirect_uris: redirectUris = row.redirect_uris, device_flow: hasDeviceFlow = row.device_flow } = changes;
    checkFlows(redirectUris, hasDeviceFlow);
    checkRedirectUris(changes.redirect_uris ?? [], row.is_confidential);
    const changed = await updateLockedOauthApp(tx, {
      organizationId,
      id,
      name: changes.name?.trim() ?? row.name,
      redirectUris,
      scopes: changes.scopes ?? row.scopes,
      hasDeviceFlow,
    });
    await replaceAppOrigins(tx, { organizationId, appId: id, origins: originsOf(changed.redirect_uris) });
    const secrets = await listLiveClientSecrets(tx, { organizationId, appIds: [id] });
    const app = presentOauthApp(changed, secrets);
    await recordAudit(tx, actorOf(context), {
      action: 'oauth_app.updated',
      targetType: 'oauth_app',
      targetId: id,
      before: presentOauthApp(row, secrets),
      after: app,
    });
    return app;
  });
}
