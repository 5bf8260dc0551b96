import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { updateAppsLeftByCreator } from './queries.ts';

/**
 * Leaves the apps of a former member to the organization: they keep working, and the admins may change them. Their
 * creator may not, even if they are invited again.
 */
export async function clearAppCreator(tx: Queries, actor: AuditActor, userId: string): Promise<void> {
  for (const { id } of await updateAppsLeftByCreator(tx, { organizationId: actor.organizationId, userId })) {
    await recordAudit(tx, actor, {
      action: 'oauth_app.maker_left',
      targetType: 'oauth_app',
      targetId: id,
      before: { created_by: userId },
      after: { created_by: null },
    });
  }
}
