import type { Batcher } from '../../batching/index.ts';
import { type AuthorizedContext, httpError } from '../../http/index.ts';
import { findProjectStatuses, type ProjectStatus } from '../../organizations/index.ts';
import { isProjectId, projectIdOf } from './project-rules.ts';

interface ProjectTools {
  /** Looks projects up by ID, in batches of one organization. */
  projectStatuses: Batcher<string, ProjectStatus | undefined>;
}

/**
 * Throws if the metadata of a session names a project that is not an active project of the organization. Metadata
 * without a project costs no query. A session keeps its project even if it is archived later.
 */
export async function requireActiveProject(
  context: AuthorizedContext,
  tools: ProjectTools,
  metadata: unknown,
): Promise<void> {
  const projectId = projectIdOf(metadata);
  if (projectId === undefined) {
    return;
  }
  const status = isProjectId(projectId) ? await findStatus(context, tools, projectId) : undefined;
  if (status !== 'active') {
    const message = status === undefined ? 'No such project.' : 'The project is archived.';
    throw httpError('validation_failed', message, {
      details: { field: 'metadata.project_id', reason: status ?? 'unknown' },
    });
  }
}

async function findStatus(
  { database, principal }: AuthorizedContext,
  { projectStatuses }: ProjectTools,
  projectId: string,
): Promise<ProjectStatus | undefined> {
  return database.inTransaction
    ? (await findProjectStatuses(database, principal.organizationId, [projectId])).get(projectId)
    : projectStatuses.submit(principal.organizationId, projectId);
}
