import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { presentProject } from './present-project.ts';
import { findProject } from './queries.ts';
import type { Project } from './schemas.ts';

/** One project of the organization, or not_found. */
export async function getProject(context: AuthorizedContext, id: string): Promise<Project> {
  const row = await findProject(context.database, { organizationId: context.principal.organizationId, id });
  if (row === undefined) {
    throw notFound('project');
  }
  return presentProject(row);
}
