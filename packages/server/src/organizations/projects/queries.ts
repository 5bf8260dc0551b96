import { type CompiledQuery, sql } from 'kysely';
import { build, type Queries, type Statement } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';

/** Whether sessions may name a project. */
export type ProjectStatus = 'active' | 'archived';

/** A project as it is kept. */
export interface ProjectRow {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  status: ProjectStatus;
  created_at: Date;
  updated_at: Date;
}

/** What a project can be changed in. */
export type ProjectContent = Pick<ProjectRow, 'name' | 'slug' | 'description' | 'status'>;

/**
 * Lets one transaction of the organization at a time give slugs, so that a project can take another slug by looking
 * whether it is free: an update, unlike an insert, has no way to say "unless it is taken".
 */
export async function lockSlugs(tx: Queries, organizationId: string): Promise<void> {
  await tx.query(LOCK_SLUGS, [organizationId]);
}

/** Writes an active project, or answers undefined when the slug is taken. */
export async function insertProject(
  tx: Queries,
  organizationId: string,
  project: { id: string; name: string; slug: string; description: string | null },
): Promise<ProjectRow | undefined> {
  const { id, name, slug, description } = project;
  return (await tx.query(INSERT_PROJECT, [organizationId, id, name, slug, description]))[0];
}

/** One project of the organization, or undefined. */
export async function findProject(
  database: Queries,
  organizationId: string,
  id: string,
): Promise<ProjectRow | undefined> {
  return (await database.query(FIND_PROJECT, [organizationId, id]))[0];
}

/** The same, kept from changing until the transaction ends. */
export async function lockProject(tx: Queries, organizationId: string, id: string): Promise<ProjectRow | undefined> {
  return (await tx.query(LOCK_PROJECT, [organizationId, id]))[0];
}

/** Changes a project, or answers undefined when its new slug is another's. A new slug wants `lockSlugs` first. */
export async function updateProject(
  tx: Queries,
  organizationId: string,
  id: string,
  { name, slug, description, status }: ProjectContent,
): Promise<ProjectRow | undefined> {
  return (await tx.query(UPDATE_PROJECT, [organizationId, id, name, slug, description, status]))[0];
}

/** Deletes a project and answers what it was, or undefined when there is none. */
export async function deleteProject(tx: Queries, organizationId: string, id: string): Promise<ProjectRow | undefined> {
  return (await tx.query(DELETE_PROJECT, [organizationId, id]))[0];
}

/** The status of each of these projects of the organization; those that it does not have are missing. */
export async function findProjectStatuses(
  database: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ProjectStatus>> {
  const rows = await database.query(LIST_PROJECT_STATUSES, [organizationId, ids]);
  return new Map(rows.map((row) => [row.id, row.status]));
}

/** A page of the organization's projects; one row more than the page where there is more. */
export function listProjects(organizationId: string, page: PageRequest): CompiledQuery<ProjectRow> {
  const { status, created_after: createdAfter, created_before: createdBefore } = page.filters;
  let query = build
    .selectFrom('projects')
    .select(['id', 'name', 'slug', 'description', 'created_at', 'updated_at'])
    .select(sql<ProjectStatus>`status`.as('status'))
    .where('organization_id', '=', organizationId);
  if (status !== undefined) {
    query = query.where('status', '=', status);
  }
  if (createdAfter !== undefined) {
    query = query.where('created_at', '>', new Date(createdAfter));
  }
  if (createdBefore !== undefined) {
    query = query.where('created_at', '<', new Date(createdBefore));
  }
  return query
    .where(afterCursor(page, page.sort))
    .orderBy(inOrder(page, page.sort))
    .limit(page.limit + 1)
    .compile();
}

const COLUMNS = 'id, name, slug, description, status, created_at, updated_at';

/** Not `for update`, which would make whatever refers to the organization by a foreign key wait as well. */
const LOCK_SLUGS: Statement<{ id: string }> = {
  name: 'lock_slugs',
  text: 'select id from organizations where id = $1 for no key update',
};

const INSERT_PROJECT: Statement<ProjectRow> = {
  name: 'insert_project',
  text: `insert into projects (organization_id, id, name, slug, description, status, created_at, updated_at)
    select $1, $2, $3, $4, $5, 'active', n.t, n.t from (select clock_timestamp() as t) n
    on conflict (organization_id, slug) do nothing returning ${COLUMNS}`,
};

const FIND_PROJECT: Statement<ProjectRow> = {
  name: 'find_project',
  text: `select ${COLUMNS} from projects where organization_id = $1 and id = $2`,
};

const LOCK_PROJECT: Statement<ProjectRow> = {
  name: 'lock_project',
  text: `select ${COLUMNS} from projects where organization_id = $1 and id = $2 for update`,
};

const UPDATE_PROJECT: Statement<ProjectRow> = {
  name: 'update_project',
  text: `update projects p set name = $3, slug = $4, description = $5, status = $6, updated_at = clock_timestamp()
    where p.organization_id = $1 and p.id = $2
      and not exists (select from projects o where o.organization_id = $1 and o.slug = $4 and o.id <> $2)
    returning ${COLUMNS}`,
};

const DELETE_PROJECT: Statement<ProjectRow> = {
  name: 'delete_project',
  text: `delete from projects where organization_id = $1 and id = $2 returning ${COLUMNS}`,
};

const LIST_PROJECT_STATUSES: Statement<{ id: string; status: ProjectStatus }> = {
  name: 'list_project_statuses',
  text: 'select id, status from projects where organization_id = $1 and id = any($2::text[])',
};
