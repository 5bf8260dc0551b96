import { type AuthorizedContext, type ListPage, notFound, type PageRequest, toPage } from '../../http/index.ts';
import { presentProject } from './present-project.ts';
import { findProject, listProjects, type ProjectRow } from './queries.ts';
import type { Project } from './schemas.ts';

/** The organization's projects, a page at a time. */
export async function readProjects(context: AuthorizedContext, page: PageRequest): Promise<ListPage<Project>> {
  const rows = await context.database.run(listProjects(context.principal.organizationId, page));
  return toPage(rows, page, (row) => ({ value: sortValue(row, page.sort), id: row.id }), presentProject);
}

/** One project of the organization, or not_found. */
export async function readProject(context: AuthorizedContext, id: string): Promise<Project> {
  const row = await findProject(context.database, context.principal.organizationId, id);
  if (row === undefined) {
    throw notFound('project');
  }
  return presentProject(row);
}

function sortValue(row: ProjectRow, sort: string): string {
  switch (sort) {
    case 'name':
      return row.name;
    case 'updated_at':
      return row.updated_at.toISOString();
    default:
      return row.created_at.toISOString();
  }
}
