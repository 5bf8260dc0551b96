import { invalidRequest } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';

/** What a session's metadata names as its project; undefined when it names none. Throws where it is not a text. */
export function projectIdOf(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('project_id' in metadata)) {
    return undefined;
  }
  if (typeof metadata.project_id !== 'string') {
    throw invalidRequest('metadata.project_id', 'type', 'metadata.project_id must be the id of a project.');
  }
  return metadata.project_id;
}

/** Whether a text is of the form of a project's id. */
export function isProjectId(text: string): boolean {
  return PROJECT_ID.test(text);
}

const PROJECT_ID = new RegExp(idPattern('project'));
