import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { clearCreatorOfApps } from './queries.ts';

/**
 * Leaves to an organization the apps that a former member registered in it: they go on, and the admins may change them.
 * Their maker may not, though they are invited again.
 */
export async function clearAppCreator(tx: Queries, actor: AuditActor, userId: string): Promise<void> {
  for (const id of await clearCreatorOfApps(tx, actor.organizationId, userId)) {
    await recordAudit(tx, actor, {
      action: 'oauth_app.maker_left',
      targetType: 'oauth_app',
      targetId: id,
      before: { created_by: userId },
      after: { created_by: null },
    });
  }
}
