import { sql } from 'kysely';
import { build, isUniqueViolation, type Queries, type Statement } from '../database/index.ts';
import { afterCursor, inOrder, type PageRequest, type Role } from '../http/index.ts';
import type { BillingDetails } from './schemas.ts';

/** An organization as it is kept. */
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

/** What an organization can be changed in. */
export type OrganizationContent = Pick<OrganizationRow, 'name' | 'slug' | 'billing_details'>;

/** The organization as this member sees it; undefined when they are none of its members. */
export async function findOwnOrganization(
  database: Queries,
  organizationId: string,
  userId: string,
): Promise<OwnOrganizationRow | undefined> {
  return (await database.query(FIND_OWN_ORGANIZATION, [organizationId, userId]))[0];
}

/**
 * A page of a user's organizations, of one where `only` names it. Sorted as they are read: nobody is a member of so many
 * that an index would be quicker.
 */
export async function listOwnOrganizations(
  database: Queries,
  userId: string,
  only: string | undefined,
  page: PageRequest,
): Promise<OwnOrganizationRow[]> {
  const { role, created_after: createdAfter, created_before: createdBefore } = page.filters;
  let query = build
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name', 'o.slug', 'o.member_count', 'o.clock_offset_ms', 'o.created_at', 'o.updated_at'])
    .select([sql<Role>`m.role`.as('role'), sql<BillingDetails | null>`o.billing_details`.as('billing_details')])
    .where('m.user_id', '=', userId)
    .where('o.deleted_at', 'is', null);
  if (only !== undefined) {
    query = query.where('m.organization_id', '=', only);
  }
  if (role !== undefined) {
    query = query.where('m.role', '=', role);
  }
  if (createdAfter !== undefined) {
    query = query.where('o.created_at', '>', new Date(createdAfter));
  }
  if (createdBefore !== undefined) {
    query = query.where('o.created_at', '<', new Date(createdBefore));
  }
  const column = `o.${page.sort}`;
  const paged = query.where(afterCursor(page, column, 'o.id')).orderBy(inOrder(page, column, 'o.id'));
  return database.run(paged.limit(page.limit + 1).compile());
}

/** The organization, locked until the transaction ends; undefined when it is unknown or deleted. */
export async function lockOrganization(tx: Queries, organizationId: string): Promise<OrganizationRow | undefined> {
  return (await tx.query(LOCK_ORGANIZATION, [organizationId]))[0];
}

/** Changes an organization; answers undefined when the slug is another's, and then the transaction is lost. */
export async function updateOrganization(
  tx: Queries,
  organizationId: string,
  { name, slug, billing_details: billingDetails }: OrganizationContent,
): Promise<OrganizationRow | undefined> {
  const details = billingDetails === null ? null : JSON.stringify(billingDetails);
  try {
    return (await tx.query(UPDATE_ORGANIZATION, [organizationId, name, slug, details]))[0];
  } catch (error) {
    if (isUniqueViolation(error, 'organizations_slug')) {
      return undefined;
    }
    throw error;
  }
}

/** How many organizations a user is a member of. */
export async function countMembershipsOfUser(tx: Queries, userId: string): Promise<number> {
  return (await tx.query(COUNT_MEMBERSHIPS_OF_USER, [userId]))[0]?.count ?? 0;
}

/** Ends an organization: nobody is its member any more, and another may take its slug. The caller holds its lock. */
export async function deleteOrganizationRow(tx: Queries, organizationId: string): Promise<void> {
  await tx.query(DELETE_MEMBERSHIPS, [organizationId]);
  await tx.query(DELETE_ORGANIZATION, [organizationId]);
}

const COLUMNS = 'id, name, slug, member_count, billing_details, clock_offset_ms, created_at, updated_at';

const FIND_OWN_ORGANIZATION: Statement<OwnOrganizationRow> = {
  name: 'find_own_organization',
  text: `select o.id, o.name, o.slug, o.member_count, o.billing_details, o.clock_offset_ms, o.created_at, o.updated_at,
      m.role
    from organizations o join memberships m on m.organization_id = o.id and m.user_id = $2
    where o.id = $1 and o.deleted_at is null`,
};

/** Not `for update`, which would make whatever refers to the organization by a foreign key wait as well. */
const LOCK_ORGANIZATION: Statement<OrganizationRow> = {
  name: 'lock_organization',
  text: `select ${COLUMNS} from organizations where id = $1 and deleted_at is null for no key update`,
};

const UPDATE_ORGANIZATION: Statement<OrganizationRow> = {
  name: 'update_organization',
  text: `update organizations set name = $2, slug = $3, billing_details = $4, updated_at = clock_timestamp()
    where id = $1 returning ${COLUMNS}`,
};

const COUNT_MEMBERSHIPS_OF_USER: Statement<{ count: number }> = {
  name: 'count_memberships_of_user',
  text: 'select count(*)::integer as count from memberships where user_id = $1',
};

const DELETE_MEMBERSHIPS: Statement<never> = {
  name: 'delete_memberships',
  text: 'delete from memberships where organization_id = $1',
};

/** No column of a foreign key's target changes, so that tokens which are written meanwhile need not wait for it. */
const DELETE_ORGANIZATION: Statement<never> = {
  name: 'delete_organization',
  text: `update organizations set
      member_count = 0, deleted_at = n.t, updated_at = n.t from (select clock_timestamp() as t) n
    where id = $1`,
};
