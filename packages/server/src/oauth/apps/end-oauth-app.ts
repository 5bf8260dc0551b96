import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { endGrantsOfApp } from '../grants/end-grants.ts';
import { replaceAppOrigins } from './origin-queries.ts';
import { presentOauthApp } from './present-oauth-app.ts';
import { type OauthAppRow, updateOauthAppDeleted } from './queries.ts';
import { listLiveClientSecrets, updateClientSecretsExpiry } from './secret-queries.ts';

/** Deletes an app of the actor's organization, which the transaction has locked: its secrets, grants and tokens end. */
export async function endOauthApp(tx: Queries, actor: AuditActor, row: OauthAppRow): Promise<void> {
  const { organizationId } = actor;
  const app = presentOauthApp(row, await listLiveClientSecrets(tx, { organizationId, appIds: [row.id] }));
  await updateOauthAppDeleted(tx, { organizationId, id: row.id });
  await replaceAppOrigins(tx, { organizationId, appId: row.id, origins: [] });
  await updateClientSecretsExpiry(tx, { organizationId, appId: row.id, overlapSeconds: 0 });
  await endGrantsOfApp(tx, row.id);
  await recordAudit(tx, actor, {
    action: 'oauth_app.deleted',
    targetType: 'oauth_app',
    targetId: row.id,
    before: app,
  });
}
