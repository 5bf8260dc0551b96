import { type AuthorizedContext, httpError } from '../../http/index.ts';
import { findProjectStatuses, type ProjectStatus } from '../../organizations/index.ts';
import type { LicensingState } from '../state.ts';
import { isProjectId, projectIdOf } from './project-rules.ts';

/**
 * Refuses a session whose metadata names a project that is not an active one of the organization. Asks nothing where none
 * is named. A project that is archived right afterwards keeps the session, as it keeps those from before.
 */
export async function checkProject(
  state: LicensingState,
  context: AuthorizedContext,
  metadata: unknown,
): Promise<void> {
  const projectId = projectIdOf(metadata);
  if (projectId === undefined) {
    return;
  }
  const status = isProjectId(projectId) ? await findStatus(state, context, projectId) : undefined;
  if (status !== 'active') {
    const message = status === undefined ? 'There is no such project.' : 'The project is archived.';
    throw httpError('validation_failed', message, {
      details: { field: 'metadata.project_id', reason: status ?? 'unknown' },
    });
  }
}

async function findStatus(
  state: LicensingState,
  { database, principal }: AuthorizedContext,
  projectId: string,
): Promise<ProjectStatus | undefined> {
  return database.inTransaction
    ? (await findProjectStatuses(database, principal.organizationId, [projectId])).get(projectId)
    : state.projectStatuses.submit(principal.organizationId, projectId);
}
