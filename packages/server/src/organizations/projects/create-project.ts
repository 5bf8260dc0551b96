import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { slugOf } from '../slug-rules.ts';
import { slugTaken } from './errors.ts';
import { presentProject } from './present-project.ts';
import { insertProject, lockSlugs, type ProjectRow } from './queries.ts';
import type { Project, ProjectInput } from './schemas.ts';

/** Creates an active project. Throws already_exists if the requested slug is taken. */
export async function createProject(context: AuthorizedContext, input: ProjectInput): Promise<Project> {
  const { organizationId } = context.principal;
  const id = newId('project');
  const name = input.name.trim();
  const slugs = input.slug === undefined ? slugsFor(name, id) : [input.slug];
  return context.database.transaction(async (tx) => {
    await lockSlugs(tx, { organizationId });
    const project = { id, name, description: input.description ?? null };
    const row = await insertWithFirstFree(tx, organizationId, project, slugs);
    if (row === undefined) {
      throw slugTaken(slugs[0] ?? '');
    }
    const after = presentProject(row);
    await recordAudit(tx, actorOf(context), { action: 'project.created', targetType: 'project', targetId: id, after });
    return after;
  });
}

/** If the name's own slug is taken, the random end of the identifier makes it unique. */
function slugsFor(name: string, id: string): string[] {
  const slug = slugOf(name, 'project');
  return [slug, `${slug}-${id.slice(-6)}`, `${slug}-${id.slice(-13)}`];
}

async function insertWithFirstFree(
  tx: Queries,
  organizationId: string,
  project: { id: string; name: string; description: string | null },
  slugs: readonly string[],
): Promise<ProjectRow | undefined> {
  for (const slug of slugs) {
    const row = await insertProject(tx, { organizationId, ...project, slug });
    if (row !== undefined) {
      return row;
    }
  }
  return undefined;
}
