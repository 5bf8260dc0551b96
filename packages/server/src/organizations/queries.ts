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

export async function insertMembership(
  tx: Queries,
  membership: { organizationId: string; userId: string; role: Role },
): Promise<void> {
  await tx.query(INSERT_MEMBERSHIP, [membership.organizationId, membership.userId, membership.role]);
}

/** The organization that a user has been in longest: where a login begins. Undefined when there is none. */
export async function findFirstMembership(database: Queries, userId: string): Promise<MembershipRow | undefined> {
  return (await database.query(FIND_FIRST_MEMBERSHIP, [userId]))[0];
}

const INSERT_ORGANIZATION: Statement<{ id: string }> = {
  name: 'insert_organization',
  text: `insert into organizations (id, name, slug, created_at, updated_at)
    select $1, $2, $3, n.t, n.t from (select clock_timestamp() as t) n
    on conflict (slug) do nothing returning id`,
};

const INSERT_MEMBERSHIP: Statement<never> = {
  name: 'insert_membership',
  text: `insert into memberships (organization_id, user_id, role, created_at)
    values ($1, $2, $3, clock_timestamp())`,
};

const FIND_FIRST_MEMBERSHIP: Statement<MembershipRow> = {
  name: 'find_first_membership',
  text: `select m.organization_id, o.name as organization_name, m.role
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = $1 order by m.created_at, m.organization_id limit 1`,
};
