import { count, isUniqueViolation, many, maybeOne, type Queries, statement } from '../database/index.ts';
import type { Role } from '../http/index.ts';
import type { BillingDetails } from './schemas.ts';

/** An organization as stored. */
export interface OrganizationRow {
  id: string;
  name: string;
  slug: string;
  member_count: number;
  billing_details: BillingDetails | null;
  clock_offset_ms: number;
  created_at: Date;
  updated_at: Date;
}

/** An organization with the role that one of its members has in it. */
export interface OwnOrganizationRow extends OrganizationRow {
  role: Role;
}

/** The part of an organization that can be changed. */
export type OrganizationContent = Pick<OrganizationRow, 'name' | 'slug' | 'billing_details'>;

const COLUMNS = 'id, name, slug, member_count, billing_details, clock_offset_ms, created_at, updated_at';

/** Inserts an organization; 0 if the slug is taken. */
export const insertOrganization = statement({
  name: 'insert_organization',
  parameters: { id: 'text', name: 'text', slug: 'text' },
  returns: count(),
  sql: ({ id, name, slug }) => `
    insert into organizations (id, name, slug, created_at, updated_at)
    select ${id}, ${name}, ${slug}, n.t, n.t from (select clock_timestamp() as t) n
    on conflict (slug) where deleted_at is null do nothing`,
});

/** The organization as this member sees it; undefined if the user is not a member. */
export const findOwnOrganization = statement({
  name: 'find_own_organization',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: maybeOne<OwnOrganizationRow>(),
  sql: ({ organizationId, userId }) => `
    select o.id, o.name, o.slug, o.member_count, o.billing_details, o.clock_offset_ms, o.created_at, o.updated_at, m.role
    from organizations o join memberships m on m.organization_id = o.id and m.user_id = ${userId}
    where o.id = ${organizationId} and o.deleted_at is null`,
});

/** The organization as its admins see it, for callers who are not members. */
export const findOrganizationAsAdmin = statement({
  name: 'find_organization_as_admin',
  parameters: { organizationId: 'text' },
  returns: maybeOne<OwnOrganizationRow>(),
  sql: ({ organizationId }) =>
    `select ${COLUMNS}, 'admin' as role from organizations where id = ${organizationId} and deleted_at is null`,
});

/**
 * Locks an organization; undefined if it is unknown or deleted. Not `for update`, because every row that refers to the
 * organization by a foreign key would then also have to wait.
 */
export const lockOrganization = statement({
  name: 'lock_organization',
  parameters: { organizationId: 'text' },
  returns: maybeOne<OrganizationRow>(),
  sql: ({ organizationId }) =>
    `select ${COLUMNS} from organizations where id = ${organizationId} and deleted_at is null for no key update`,
});

/** The slug of an organization that is not deleted. */
export const findOrganizationSlug = statement({
  name: 'find_organization_slug',
  parameters: { organizationId: 'text' },
  returns: maybeOne<{ slug: string }>(),
  sql: ({ organizationId }) => `select slug from organizations where id = ${organizationId} and deleted_at is null`,
});

/** Changes an organization. Returns undefined if the slug is another organization's; the transaction has then failed. */
export async function updateOrganization(
  tx: Queries,
  organizationId: string,
  { name, slug, billing_details: billingDetails }: OrganizationContent,
): Promise<OrganizationRow | undefined> {
  try {
    return await updateOrganizationRow(tx, { organizationId, name, slug, billingDetails });
  } catch (error) {
    if (isUniqueViolation(error, 'organizations_slug')) {
      return undefined;
    }
    throw error;
  }
}

const updateOrganizationRow = statement({
  name: 'update_organization',
  parameters: { organizationId: 'text', name: 'text', slug: 'text', billingDetails: 'jsonb | null' },
  returns: maybeOne<OrganizationRow>(),
  sql: ({ organizationId, name, slug, billingDetails }) => `
    update organizations set name = ${name}, slug = ${slug}, billing_details = ${billingDetails},
      updated_at = clock_timestamp()
    where id = ${organizationId} returning ${COLUMNS}`,
});

/** Marks an organization as deleted, so that another one may take its slug. The caller holds its lock. */
export const updateOrganizationDeleted = statement({
  name: 'update_organization_deleted',
  parameters: { organizationId: 'text' },
  // No column that a foreign key refers to changes, so concurrent writes of tokens need not wait.
  sql: ({ organizationId }) => `
    update organizations set member_count = 0, deleted_at = n.t, updated_at = n.t from (select clock_timestamp() as t) n
    where id = ${organizationId}`,
});

/** The next `limit` live organizations, in key order, that were last changed before this time. */
export async function listOldOrganizations(
  database: Queries,
  after: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  return (await listOldOrganizationIds(database, { after, before, limit })).map((row) => row.id);
}

/** The organization with this ID, or the one that the user with this email address has been an admin of longest. */
export async function findOrganizationId(database: Queries, idOrEmail: string): Promise<string | undefined> {
  return (await findIdByIdOrEmail(database, { idOrEmail: idOrEmail.trim().normalize('NFKC') }))?.id;
}

const listOldOrganizationIds = statement({
  name: 'list_old_organizations',
  parameters: { after: 'text', before: 'timestamptz', limit: 'integer' },
  returns: many<{ id: string }>(),
  sql: ({ after, before, limit }) => `
    select id from organizations where id > ${after} and updated_at < ${before} and deleted_at is null
    order by id limit ${limit}`,
});

const findIdByIdOrEmail = statement({
  name: 'find_organization_id',
  parameters: { idOrEmail: 'text' },
  returns: maybeOne<{ id: string }>(),
  sql: ({ idOrEmail }) => `
    (select id from organizations where id = ${idOrEmail} and deleted_at is null)
    union all
    (select m.organization_id from users u join memberships m on m.user_id = u.id
      join organizations o on o.id = m.organization_id and o.deleted_at is null
      where u.email = lower(${idOrEmail}) and m.role = 'admin' order by m.created_at, m.organization_id limit 1)
    limit 1`,
});
