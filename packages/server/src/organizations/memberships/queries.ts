import { many, maybeOne, one, type Queries, statement } from '../../database/index.ts';
import type { Role } from '../../http/index.ts';

/** One membership of a user. */
export interface MembershipRow {
  organization_id: string;
  organization_name: string;
  role: Role;
}

/** An organization of a user, and the role that they have in it. */
export interface OrganizationOfUserRow {
  id: string;
  name: string;
  role: Role;
}

/** A membership with the public profile of its user. */
export interface MemberRow {
  organization_id: string;
  user_id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  role: Role;
  created_at: Date;
}

/** A user of the installation, as one organization sees them. */
export interface PersonRow {
  id: string;
  name: string;
  email: string;
  /** Null if they are not a member of the organization. */
  role: Role | null;
}

/** Inserts a membership and counts it. The organization's row stays locked until the transaction ends. */
export const insertMembership = statement({
  name: 'insert_membership',
  parameters: { organizationId: 'text', userId: 'text', userName: 'text', role: 'text' },
  sql: ({ organizationId, userId, userName, role }) => `
    with counted as (
      update organizations set member_count = member_count + 1 where id = ${organizationId}
    )
    insert into memberships (organization_id, user_id, user_name, role, created_at)
    values (${organizationId}, ${userId}, ${userName}, ${role}, clock_timestamp())`,
});

export const findMember = statement({
  name: 'find_member',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: maybeOne<MemberRow>(),
  sql: ({ organizationId, userId }) => `
    select m.organization_id, m.user_id, u.email, u.name, u.avatar_url, m.role, m.created_at
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}`,
});

/** A user, member or not. */
export const findPersonById = statement({
  name: 'find_person_by_id',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: maybeOne<PersonRow>(),
  sql: ({ organizationId, userId }) => personWhere(organizationId, `u.id = ${userId}`),
});

/** The same by an address in the form that `parseEmail` returns. */
export const findPersonByEmail = statement({
  name: 'find_person_by_email',
  parameters: { organizationId: 'text', email: 'text' },
  returns: maybeOne<PersonRow>(),
  sql: ({ organizationId, email }) => personWhere(organizationId, `u.email = ${email}`),
});

function personWhere(organizationId: string, condition: string): string {
  return `select u.id, u.name, u.email, m.role from users u
    left join memberships m on m.organization_id = ${organizationId} and m.user_id = u.id
    where ${condition} and u.deleted_at is null`;
}

/** The members among these users. */
export const listMemberNames = statement({
  name: 'list_member_names',
  parameters: { organizationId: 'text', userIds: 'text[]' },
  returns: many<{ id: string; name: string; email: string }>(),
  sql: ({ organizationId, userIds }) => `
    select u.id, u.name, u.email from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = any(${userIds})`,
});

/** The address of a member with the name of the organization, for a mail; undefined if the user is not a member. */
export const findMembership = statement({
  name: 'find_membership',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: maybeOne<{ email: string; organization_name: string }>(),
  sql: ({ organizationId, userId }) => `
    select u.email, o.name as organization_name
    from memberships m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}`,
});

/** The role of a member, locked until the transaction ends: a removal or a change of role waits. */
export const lockMemberRole = statement({
  name: 'lock_member_role',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: maybeOne<{ role: Role }>(),
  sql: ({ organizationId, userId }) => `
    select role from memberships where organization_id = ${organizationId} and user_id = ${userId} for share`,
});

/** Finds a member by an address in the form that `parseEmail` returns. */
export const findMemberIdByEmail = statement({
  name: 'find_member_id_by_email',
  parameters: { organizationId: 'text', email: 'text' },
  returns: maybeOne<{ user_id: string }>(),
  sql: ({ organizationId, email }) => `
    select m.user_id from users u join memberships m on m.user_id = u.id and m.organization_id = ${organizationId}
    where u.email = ${email}`,
});

/** Finds an admin other than this user. The caller holds the organization's lock, so the result stays valid. */
export const findOtherAdmin = statement({
  name: 'find_other_admin',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: maybeOne<{ user_id: string }>(),
  sql: ({ organizationId, userId }) => `
    select user_id from memberships
    where organization_id = ${organizationId} and role = 'admin' and user_id <> ${userId} limit 1`,
});

/** Gives a member another role. The caller holds the organization's lock. */
export const updateRole = statement({
  name: 'update_role',
  parameters: { organizationId: 'text', userId: 'text', role: 'text' },
  sql: ({ organizationId, userId, role }) =>
    `update memberships set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}`,
});

/** Updates the copy of a user's name in all their memberships. Runs in the transaction that renames the user. */
export const updateMemberName = statement({
  name: 'update_member_name',
  parameters: { userId: 'text', name: 'text' },
  sql: ({ userId, name }) =>
    `update memberships set user_name = ${name} where user_id = ${userId} and user_name <> ${name}`,
});

/** Deletes a membership and counts it. The caller holds the organization's lock. */
export const deleteMembership = statement({
  name: 'delete_membership',
  parameters: { organizationId: 'text', userId: 'text' },
  sql: ({ organizationId, userId }) => `
    with gone as (
      delete from memberships where organization_id = ${organizationId} and user_id = ${userId} returning organization_id
    )
    update organizations set member_count = member_count - 1 where id = (select organization_id from gone)`,
});

export const deleteMemberships = statement({
  name: 'delete_memberships',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) => `delete from memberships where organization_id = ${organizationId}`,
});

/** The organization that a user joined first: where a login begins. */
export const findFirstMembership = statement({
  name: 'find_first_membership',
  parameters: { userId: 'text' },
  returns: maybeOne<MembershipRow>(),
  sql: ({ userId }) => `
    select m.organization_id, o.name as organization_name, m.role
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and o.deleted_at is null order by m.created_at, m.organization_id limit 1`,
});

/** The organizations of a user, in the order in which they joined them: at most a hundred. */
export const listOrganizationsOfUser = statement({
  name: 'list_organizations_of_user',
  parameters: { userId: 'text' },
  returns: many<OrganizationOfUserRow>(),
  sql: ({ userId }) => `
    select o.id, o.name, m.role
    from memberships m join organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = ${userId} order by m.created_at, m.organization_id limit 100`,
});

/** The same for many users, at most a page. A user is a member of at most a hundred organizations. */
export const listOrganizationsOfUsers = statement({
  name: 'list_organizations_of_users',
  parameters: { userIds: 'text[]' },
  returns: many<OrganizationOfUserRow & { user_id: string }>(),
  sql: ({ userIds }) => `
    select m.user_id, o.id, o.name, m.role
    from memberships m join organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = any(${userIds}) order by m.created_at, m.organization_id`,
});

export const countMembershipsOfUser = statement({
  name: 'count_memberships_of_user',
  parameters: { userId: 'text' },
  returns: one<{ count: number }>(),
  sql: ({ userId }) => `select count(*)::integer as count from memberships where user_id = ${userId}`,
});

/** The organizations that a user is a member of, the oldest membership first: at most a hundred. */
export async function listOrganizationIds(database: Queries, userId: string): Promise<string[]> {
  return (await listOrganizations(database, { userId })).map((row) => row.organization_id);
}

/** Every organization that a user is a member of, in key order. */
export async function listMembershipIds(tx: Queries, userId: string): Promise<string[]> {
  return (await listMemberships(tx, { userId })).map((row) => row.organization_id);
}

/** Every member of an organization. */
export async function listMemberIds(tx: Queries, organizationId: string): Promise<string[]> {
  return (await listMembers(tx, { organizationId })).map((row) => row.user_id);
}

/** The addresses of the organization's admins, the oldest membership first: at most fifty. */
export async function listAdminEmails(tx: Queries, organizationId: string): Promise<string[]> {
  return (await listEmailsOfAdmins(tx, { organizationId })).map((row) => row.email);
}

/** The addresses of those who manage the organization's money, the oldest membership first: at most fifty. */
export async function listBillingEmails(tx: Queries, organizationId: string): Promise<string[]> {
  return (await listEmailsOfBilling(tx, { organizationId })).map((row) => row.email);
}

const listOrganizations = statement({
  name: 'list_organization_ids',
  parameters: { userId: 'text' },
  returns: many<{ organization_id: string }>(),
  sql: ({ userId }) => `
    select m.organization_id from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} and o.deleted_at is null order by m.created_at, m.organization_id limit 100`,
});

const listMemberships = statement({
  name: 'list_membership_ids',
  parameters: { userId: 'text' },
  returns: many<{ organization_id: string }>(),
  sql: ({ userId }) => `select organization_id from memberships where user_id = ${userId} order by organization_id`,
});

const listMembers = statement({
  name: 'list_member_ids',
  parameters: { organizationId: 'text' },
  returns: many<{ user_id: string }>(),
  sql: ({ organizationId }) =>
    `select user_id from memberships where organization_id = ${organizationId} order by user_id`,
});

const listEmailsOfAdmins = statement({
  name: 'list_admin_emails',
  parameters: { organizationId: 'text' },
  returns: many<{ email: string }>(),
  sql: ({ organizationId }) => emailsOf(organizationId, "m.role = 'admin'"),
});

const listEmailsOfBilling = statement({
  name: 'list_billing_emails',
  parameters: { organizationId: 'text' },
  returns: many<{ email: string }>(),
  sql: ({ organizationId }) => emailsOf(organizationId, "m.role in ('admin', 'billing')"),
});

function emailsOf(organizationId: string, hasRole: string): string {
  return `select u.email from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and ${hasRole} order by m.created_at, m.user_id limit 50`;
}
