import type { Queries, Statement } from '../database/index.ts';
import type { Role } from '../http/index.ts';

/** One membership of a user. */
export interface MembershipRow {
  organization_id: string;
  organization_name: string;
  role: Role;
}

/** Writes an organization, or answers false when the slug is taken. */
export async function insertOrganization(
  tx: Queries,
  organization: { id: string; name: string; slug: string },
): Promise<boolean> {
  const { id, name, slug } = organization;
  return (await tx.query(INSERT_ORGANIZATION, [id, name, slug])).length > 0;
}

/** Writes a membership and counts it. The organization's row is locked by that until the transaction ends. */
export async function insertMembership(
  tx: Queries,
  membership: { organizationId: string; userId: string; userName: string; role: Role },
): Promise<void> {
  const { organizationId, userId, userName, role } = membership;
  await tx.query(INSERT_MEMBERSHIP, [organizationId, userId, userName, role]);
}

/** The organization that a user has been in longest: where a login begins. Undefined when there is none. */
export async function findFirstMembership(database: Queries, userId: string): Promise<MembershipRow | undefined> {
  return (await database.query(FIND_FIRST_MEMBERSHIP, [userId]))[0];
}

/** The organizations that a user is a member of, those of long standing first, and no more than a hundred. */
export async function listOrganizationIds(database: Queries, userId: string): Promise<string[]> {
  return (await database.query(LIST_ORGANIZATION_IDS, [userId])).map((row) => row.organization_id);
}

/** Every organization that a user is a member of, in the order of their keys. */
export async function listMembershipIds(tx: Queries, userId: string): Promise<string[]> {
  return (await tx.query(LIST_MEMBERSHIP_IDS, [userId])).map((row) => row.organization_id);
}

/** Every member of an organization. */
export async function listMemberIds(tx: Queries, organizationId: string): Promise<string[]> {
  return (await tx.query(LIST_MEMBER_IDS, [organizationId])).map((row) => row.user_id);
}

/** The next `limit` organizations that live and were last changed before this time, in the order of their keys. */
export async function listOldOrganizations(
  database: Queries,
  after: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  return (await database.query(LIST_OLD_ORGANIZATIONS, [after, before, limit])).map((row) => row.id);
}

/** The organization of this id, or the one that the user with this e-mail address has been an admin of longest. */
export async function findOrganizationId(database: Queries, idOrEmail: string): Promise<string | undefined> {
  return (await database.query(FIND_ORGANIZATION_ID, [idOrEmail.trim().normalize('NFKC')]))[0]?.id;
}

const LIST_MEMBERSHIP_IDS: Statement<{ organization_id: string }> = {
  name: 'list_membership_ids',
  text: 'select organization_id from memberships where user_id = $1 order by organization_id',
};

const LIST_MEMBER_IDS: Statement<{ user_id: string }> = {
  name: 'list_member_ids',
  text: 'select user_id from memberships where organization_id = $1 order by user_id',
};

const LIST_OLD_ORGANIZATIONS: Statement<{ id: string }> = {
  name: 'list_old_organizations',
  text: `select id from organizations where id > $1 and updated_at < $2 and deleted_at is null order by id limit $3`,
};

const FIND_ORGANIZATION_ID: Statement<{ id: string }> = {
  name: 'find_organization_id',
  text: `(select id from organizations where id = $1 and deleted_at is null)
    union all
    (select m.organization_id from users u join memberships m on m.user_id = u.id
      join organizations o on o.id = m.organization_id and o.deleted_at is null
      where u.email = lower($1) and m.role = 'admin' order by m.created_at, m.organization_id limit 1)
    limit 1`,
};

const INSERT_ORGANIZATION: Statement<{ id: string }> = {
  name: 'insert_organization',
  text: `insert into organizations (id, name, slug, created_at, updated_at)
    select $1, $2, $3, n.t, n.t from (select clock_timestamp() as t) n
    on conflict (slug) where deleted_at is null do nothing returning id`,
};

const INSERT_MEMBERSHIP: Statement<never> = {
  name: 'insert_membership',
  text: `with counted as (
      update organizations set member_count = member_count + 1 where id = $1::text
    )
    insert into memberships (organization_id, user_id, user_name, role, created_at)
    values ($1::text, $2, $3, $4, clock_timestamp())`,
};

const FIND_FIRST_MEMBERSHIP: Statement<MembershipRow> = {
  name: 'find_first_membership',
  text: `select m.organization_id, o.name as organization_name, m.role
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = $1 and o.deleted_at is null order by m.created_at, m.organization_id limit 1`,
};

const LIST_ORGANIZATION_IDS: Statement<{ organization_id: string }> = {
  name: 'list_organization_ids',
  text: `select m.organization_id from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = $1 and o.deleted_at is null order by m.created_at, m.organization_id limit 100`,
};
