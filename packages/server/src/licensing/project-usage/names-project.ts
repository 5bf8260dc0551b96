import { idPattern } from '../../ids/index.ts';

/**
 * SQL: whether this metadata names what is of the form of a project's id. Literally the predicate of the indexes
 * seat_slots_of_project and seat_sessions_by_project, which serve only a statement that repeats it.
 */
export const namesProject = (metadata: string) => `${metadata} ->> 'project_id' ~ '${idPattern('project')}'`;
