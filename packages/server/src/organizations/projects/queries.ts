import { many, maybeOne, type Queries, statement } from '../../database/index.ts';

/** Sessions can be acquired for active projects only. */
export const PROJECT_STATUSES = ['active', 'archived'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

/** A project as stored. */
export interface ProjectRow {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  status: ProjectStatus;
  created_at: Date;
  updated_at: Date;
}

/** The part of a project that can be changed. */
export type ProjectContent = Pick<ProjectRow, 'name' | 'slug' | 'description' | 'status'>;

export const PROJECT_COLUMNS = 'id, name, slug, description, status, created_at, updated_at';

/**
 * Lets one transaction of the organization at a time change slugs, so that `updateProject` can check whether a slug is
 * free: an update, unlike an insert, cannot say "unless it is taken". Not `for update`, because every row that refers
 * to the organization by a foreign key would then also have to wait.
 */
export const lockSlugs = statement({
  name: 'lock_slugs',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) => `select id from organizations where id = ${organizationId} for no key update`,
});

/** Inserts an active project; undefined if the slug is taken. */
export const insertProject = statement({
  name: 'insert_project',
  parameters: { organizationId: 'text', id: 'text', name: 'text', slug: 'text', description: 'text | null' },
  returns: maybeOne<ProjectRow>(),
  sql: ({ organizationId, id, name, slug, description }) => `
    insert into projects (organization_id, id, name, slug, description, status, created_at, updated_at)
    select ${organizationId}, ${id}, ${name}, ${slug}, ${description}, 'active', n.t, n.t
    from (select clock_timestamp() as t) n
    on conflict (organization_id, slug) do nothing returning ${PROJECT_COLUMNS}`,
});

export const findProject = statement({
  name: 'find_project',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<ProjectRow>(),
  sql: ({ organizationId, id }) =>
    `select ${PROJECT_COLUMNS} from projects where organization_id = ${organizationId} and id = ${id}`,
});

export const lockProject = statement({
  name: 'lock_project',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<ProjectRow>(),
  sql: ({ organizationId, id }) =>
    `select ${PROJECT_COLUMNS} from projects where organization_id = ${organizationId} and id = ${id} for update`,
});

/** Changes a project; undefined if its new slug is another project's. The caller of a change of slug has called `lockSlugs`. */
export const updateProject = statement({
  name: 'update_project',
  parameters: {
    organizationId: 'text',
    id: 'text',
    name: 'text',
    slug: 'text',
    description: 'text | null',
    status: 'text',
  },
  returns: maybeOne<ProjectRow>(),
  sql: ({ organizationId, id, name, slug, description, status }) => `
    update projects p set name = ${name}, slug = ${slug}, description = ${description}, status = ${status},
      updated_at = clock_timestamp()
    where p.organization_id = ${organizationId} and p.id = ${id} and not exists (
      select from projects o where o.organization_id = ${organizationId} and o.slug = ${slug} and o.id <> ${id})
    returning ${PROJECT_COLUMNS}`,
});

/** Deletes a project and returns it. */
export const deleteProject = statement({
  name: 'delete_project',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<ProjectRow>(),
  sql: ({ organizationId, id }) =>
    `delete from projects where organization_id = ${organizationId} and id = ${id} returning ${PROJECT_COLUMNS}`,
});

/** The status of each of these projects of the organization. Unknown ones are missing. */
export async function findProjectStatuses(
  database: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ProjectStatus>> {
  const rows = await listProjectStatuses(database, { organizationId, ids });
  return new Map(rows.map((row) => [row.id, row.status]));
}

const listProjectStatuses = statement({
  name: 'list_project_statuses',
  parameters: { organizationId: 'text', ids: 'text[]' },
  returns: many<{ id: string; status: ProjectStatus }>(),
  sql: ({ organizationId, ids }) =>
    `select id, status from projects where organization_id = ${organizationId} and id = any(${ids})`,
});
