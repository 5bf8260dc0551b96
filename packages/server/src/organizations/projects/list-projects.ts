import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { presentProject } from './present-project.ts';
import { PROJECT_LIST } from './project-list.ts';
import type { Project } from './schemas.ts';

/** A page of the organization's projects. */
export async function listProjects(context: AuthorizedContext, page: PageRequest): Promise<ListPage<Project>> {
  const { organizationId } = context.principal;
  return PROJECT_LIST.getPage(context.database, page, { organizationId }, presentProject);
}
