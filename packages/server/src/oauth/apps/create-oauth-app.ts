import { actorOf, recordAudit } from '../../audit/index.ts';
import { requireLiveLogin } from '../../auth/index.ts';
import { type AuthorizedContext, httpError } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { lockMemberRole, lockOrganization } from '../../organizations/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { originsOf } from './app-origins.ts';
import { checkAppName, checkAppScopes, checkFlows, checkRedirectUris, MAX_APPS, tooManyApps } from './app-rules.ts';
import { replaceAppOrigins } from './origin-queries.ts';
import { presentOauthApp } from './present-oauth-app.ts';
import { countOauthApps, insertOauthApp } from './queries.ts';
import type { OauthAppInput, OauthAppWithSecret } from './schemas.ts';
import { insertClientSecret, listLiveClientSecrets } from './secret-queries.ts';

/**
 * Registers an app for the organization. The response contains the secret of a confidential one, which is not stored.
 * Throws `validation_failed` for an invalid redirect URI, `conflict` for more than 100 apps, `invalid_token` for a user
 * who has left the organization in the meantime.
 */
export async function createOauthApp(context: AuthorizedContext, input: OauthAppInput): Promise<OauthAppWithSecret> {
  checkAppName(input.name);
  checkAppScopes(input.scopes);
  const { device_flow: hasDeviceFlow = false } = input;
  checkFlows(input.redirect_uris, hasDeviceFlow);
  checkRedirectUris(input.redirect_uris, input.confidential);
  const { organizationId, userId } = context.principal;
  const id = newId('oauthApp');
  const secret = input.confidential ? newToken(TOKEN_PREFIXES.oauthClientSecret) : null;
  const app = await context.database.transaction(async (tx) => {
    await requireLiveLogin(tx, userId, context.principal.tokenSourceId);
    // Locked, so that no app is added while they are counted.
    await lockOrganization(tx, { organizationId });
    if ((await countOauthApps(tx, { organizationId })).count >= MAX_APPS) {
      throw tooManyApps();
    }
    // Locked, so that a removal of the member also finds this app.
    if ((await lockMemberRole(tx, { organizationId, userId })) === undefined) {
      throw httpError('invalid_token', 'The user of this token is no longer a member of the organization.');
    }
    const row = await insertOauthApp(tx, {
      organizationId,
      id,
      createdBy: userId,
      name: input.name.trim(),
      redirectUris: input.redirect_uris,
      scopes: input.scopes,
      isConfidential: input.confidential,
      hasDeviceFlow,
    });

    await replaceAppOrigins(tx, { organizationId, appId: id, origins: originsOf(row.redirect_uris) });
    if (secret !== null) {
      await insertClientSecret(tx, { organizationId, appId: id, secretHash: hashToken(secret) });
    }
    const created = presentOauthApp(row, await listLiveClientSecrets(tx, { organizationId, appIds: [id] }));
    await recordAudit(tx, actorOf(context), {
      action: 'oauth_app.created',
      targetType: 'oauth_app',
      targetId: id,
      after: created,
    });
    return created;
  });
  return { ...app, client_secret: secret };
}
