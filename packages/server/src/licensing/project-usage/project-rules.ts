import { invalidRequest } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';

/** The project in a session's metadata, or undefined. Throws if it is not a string. */
export function projectIdOf(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('project_id' in metadata)) {
    return undefined;
  }
  if (typeof metadata.project_id !== 'string') {
    throw invalidRequest('metadata.project_id', 'type', 'metadata.project_id must be the id of a project.');
  }
  return metadata.project_id;
}

/** Whether a text has the format of a project ID. */
export function isProjectId(text: string): boolean {
  return PROJECT_ID.test(text);
}

const PROJECT_ID = new RegExp(idPattern('project'));

/**
 * SQL: whether metadata contains a text in the format of a project ID. This is exactly the predicate of the indexes
 * seat_slots_of_project and seat_sessions_by_project, which are used only by a statement that repeats it.
 */
export const namesProject = (metadata: string) => `${metadata} ->> 'project_id' ~ '${idPattern('project')}'`;
