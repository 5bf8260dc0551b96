import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { appsOf } from './app-rules.ts';
import { presentOauthApp } from './present-oauth-app.ts';
import { lockOauthApp } from './queries.ts';
import type { OauthAppWithSecret, SecretRotation } from './schemas.ts';
import { insertClientSecret, listLiveClientSecrets, updateClientSecretsExpiry } from './secret-queries.ts';

const DEFAULT_OVERLAP_SECONDS = 86_400;

/**
 * Gives an app a new secret. The previous one stays valid for the overlap, and any older one ends immediately: at most
 * two are live, because the app is locked. Throws `not_found`, and `conflict` for a public app.
 */
export async function rotateClientSecret(
  context: AuthorizedContext,
  id: string,
  rotation: SecretRotation,
): Promise<OauthAppWithSecret> {
  const { organizationId } = context.principal;
  const overlapSeconds = rotation.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS;
  const secret = newToken(TOKEN_PREFIXES.oauthClientSecret);
  const app = await context.database.transaction(async (tx) => {
    const row = await lockOauthApp(tx, { ...appsOf(context.principal), id });
    if (row === undefined) {
      throw notFound('oauth_app');
    }
    if (!row.is_confidential) {
      throw httpError('conflict', 'Public apps have no client secret.');
    }
    const before = presentOauthApp(row, await listLiveClientSecrets(tx, { organizationId, appIds: [id] }));
    await updateClientSecretsExpiry(tx, { organizationId, appId: id, overlapSeconds });
    await insertClientSecret(tx, { organizationId, appId: id, secretHash: hashToken(secret) });
    const after = presentOauthApp(row, await listLiveClientSecrets(tx, { organizationId, appIds: [id] }));
    await recordAudit(tx, actorOf(context), {
      action: 'oauth_app.secret_rotated',
      targetType: 'oauth_app',
      targetId: id,
      before: { secrets: before.secrets },
      after: { secrets: after.secrets },
    });
    return after;
  });
  return { ...app, client_secret: secret };
}
