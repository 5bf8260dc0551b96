import type { ProjectRow } from './queries.ts';
import type { Project } from './schemas.ts';

/** A project as the API and the audit log show it. */
export function presentProject(row: ProjectRow): Project {
  const { id, name, slug, description, status } = row;
  return {
    id,
    name,
    slug,
    description,
    status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
