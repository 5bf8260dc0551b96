import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { slugTaken } from './errors.ts';
import { presentProject } from './present-project.ts';
import { lockProject, lockSlugs, type ProjectContent, type ProjectRow, updateProject } from './queries.ts';
import type { Project, ProjectChange } from './schemas.ts';

/**
 * Changes, archives or reactivates a project. Does nothing if nothing changes. Throws not_found, or already_exists if the slug
 * is another project's.
 */
export async function changeProject(context: AuthorizedContext, id: string, input: ProjectChange): Promise<Project> {
  const { organizationId } = context.principal;
  return context.database.transaction(async (tx) => {
    if (input.slug !== undefined) {
      await lockSlugs(tx, { organizationId });
    }
    const row = await lockProject(tx, { organizationId, id });
    if (row === undefined) {
      throw notFound('project');
    }
    const before = presentProject(row);
    const wanted = applyChange(row, input);
    if (isSame(row, wanted)) {
      return before;
    }
    const written = await updateProject(tx, { organizationId, id, ...wanted });
    if (written === undefined) {
      throw slugTaken(wanted.slug);
    }
    const after = presentProject(written);
    const action = before.status === 'active' && after.status === 'archived' ? 'project.archived' : 'project.updated';
    await recordAudit(tx, actorOf(context), { action, targetType: 'project', targetId: id, before, after });
    return after;
  });
}

/** Omitted fields stay unchanged. A description of null removes it. */
function applyChange(row: ProjectRow, input: ProjectChange): ProjectContent {
  return {
    name: input.name?.trim() ?? row.name,
    slug: input.slug ?? row.slug,
    description: input.description === undefined ? row.description : input.description,
    status: input.status ?? row.status,
  };
}

function isSame(row: ProjectRow, wanted: ProjectContent): boolean {
  return (
    row.name === wanted.name &&
    row.slug === wanted.slug &&
    row.description === wanted.description &&
    row.status === wanted.status
  );
}
