import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { presentProject } from './present-project.ts';
import { deleteProject } from './queries.ts';

/** Deletes a project. Its sessions continue, and keep its id in their metadata. */
export async function removeProject(context: AuthorizedContext, id: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    const row = await deleteProject(tx, { organizationId: context.principal.organizationId, id });
    if (row === undefined) {
      throw notFound('project');
    }
    await recordAudit(tx, actorOf(context), {
      action: 'project.deleted',
      targetType: 'project',
      targetId: id,
      before: presentProject(row),
    });
  });
}
