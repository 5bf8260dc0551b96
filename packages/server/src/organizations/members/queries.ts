import { sql } from 'kysely';
import { build, type Queries, type Statement } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest, type Role } from '../../http/index.ts';

/** A membership with what is shown of its user. */
export interface MemberRow {
  organization_id: string;
  user_id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  role: Role;
  created_at: Date;
}

/** One member of an organization, or undefined. */
export async function findMember(
  database: Queries,
  organizationId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  return (await database.query(FIND_MEMBER, [organizationId, userId]))[0];
}

/** A page of an organization's members. */
export async function listMembers(
  database: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<Array<MemberRow & { user_name: string }>> {
  const { role, created_after: createdAfter, created_before: createdBefore } = page.filters;
  let query = build
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.organization_id', 'm.user_id', 'm.user_name', 'u.email', 'u.name', 'u.avatar_url', 'm.created_at'])
    .select(sql<Role>`m.role`.as('role'))
    .where('m.organization_id', '=', organizationId);
  if (role !== undefined) {
    query = query.where('m.role', '=', role);
  }
  if (createdAfter !== undefined) {
    query = query.where('m.created_at', '>', new Date(createdAfter));
  }
  if (createdBefore !== undefined) {
    query = query.where('m.created_at', '<', new Date(createdBefore));
  }
  const column = page.sort === 'name' ? 'm.user_name' : 'm.created_at';
  const paged = query.where(afterCursor(page, column, 'm.user_id')).orderBy(inOrder(page, column, 'm.user_id'));
  return database.run(paged.limit(page.limit + 1).compile());
}

/** Whether somebody with this address, as `parseEmail` writes it, is a member. */
export async function hasMemberWithEmail(tx: Queries, organizationId: string, email: string): Promise<boolean> {
  return (await tx.query(FIND_MEMBER_ID_BY_EMAIL, [organizationId, email])).length > 0;
}

/** Whether the organization has an admin besides this user. True for long enough where the caller holds its lock. */
export async function hasOtherAdmin(tx: Queries, organizationId: string, userId: string): Promise<boolean> {
  return (await tx.query(FIND_OTHER_ADMIN, [organizationId, userId])).length > 0;
}

/** Gives a member another role. The caller holds the organization's lock. */
export async function updateRole(tx: Queries, organizationId: string, userId: string, role: Role): Promise<void> {
  await tx.query(UPDATE_ROLE, [organizationId, userId, role]);
}

/** Ends a membership and counts it. The caller holds the organization's lock. */
export async function deleteMembership(tx: Queries, organizationId: string, userId: string): Promise<void> {
  await tx.query(DELETE_MEMBERSHIP, [organizationId, userId]);
}

/** The addresses of the organization's admins, those of long standing first, and no more than fifty. */
export async function listAdminEmails(tx: Queries, organizationId: string): Promise<string[]> {
  return (await tx.query(LIST_ADMIN_EMAILS, [organizationId])).map((row) => row.email);
}

/** The addresses of those who look after the organization's money, those of long standing first, and no more than fifty. */
export async function listBillingEmails(tx: Queries, organizationId: string): Promise<string[]> {
  return (await tx.query(LIST_BILLING_EMAILS, [organizationId])).map((row) => row.email);
}

const LIST_ADMIN_EMAILS: Statement<{ email: string }> = {
  name: 'list_admin_emails',
  text: `select u.email from memberships m join users u on u.id = m.user_id
    where m.organization_id = $1 and m.role = 'admin' order by m.created_at, m.user_id limit 50`,
};

const LIST_BILLING_EMAILS: Statement<{ email: string }> = {
  name: 'list_billing_emails',
  text: `select u.email from memberships m join users u on u.id = m.user_id
    where m.organization_id = $1 and m.role in ('admin', 'billing') order by m.created_at, m.user_id limit 50`,
};

const FIND_MEMBER: Statement<MemberRow> = {
  name: 'find_member',
  text: `select m.organization_id, m.user_id, u.email, u.name, u.avatar_url, m.role, m.created_at
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = $1 and m.user_id = $2`,
};

const FIND_MEMBER_ID_BY_EMAIL: Statement<{ user_id: string }> = {
  name: 'find_member_id_by_email',
  text: `select m.user_id from users u join memberships m on m.user_id = u.id and m.organization_id = $1
    where u.email = $2`,
};

const FIND_OTHER_ADMIN: Statement<{ user_id: string }> = {
  name: 'find_other_admin',
  text: `select user_id from memberships where organization_id = $1 and role = 'admin' and user_id <> $2 limit 1`,
};

const UPDATE_ROLE: Statement<never> = {
  name: 'update_role',
  text: 'update memberships set role = $3 where organization_id = $1 and user_id = $2',
};

const DELETE_MEMBERSHIP: Statement<never> = {
  name: 'delete_membership',
  text: `with gone as (
      delete from memberships where organization_id = $1 and user_id = $2 returning organization_id
    )
    update organizations set member_count = member_count - 1 where id = (select organization_id from gone)`,
};
