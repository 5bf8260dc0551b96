import {
  isSameKey,
  keysIn,
  type OrganizationTable,
  type PersonErasure,
  type Queries,
  type Statement,
} from '../database/index.ts';

/** What this room keeps of a person outside of memberships, which end at once. */
export const ORGANIZATION_ERASURES: readonly PersonErasure[] = [
  {
    table: 'invitations',
    erase: async (database, { userId, email }, limit) => {
      const sent = await database.query(DELETE_INVITATIONS_BY_INVITER, [userId, limit]);
      const received = await database.query(DELETE_INVITATIONS_TO_ADDRESS, [email, limit]);
      const accepted = await database.query(DELETE_INVITATIONS_BY_ACCEPTOR, [userId, limit]);
      return sent.length + received.length + accepted.length;
    },
  },
];

/** What this room keeps of an organization. */
export const ORGANIZATION_TABLES: readonly OrganizationTable[] = [
  { table: 'invitations', key: ['id'] },
  { table: 'projects', key: ['id'] },
  { table: 'memberships', key: ['user_id'] },
];

/** Deletes at most `limit` invitations that ended before this time; answers how many. */
export async function deleteForgottenInvitations(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_INVITATIONS, [limit, before])).length;
}

const KEY = ['organization_id', 'id'];

const DELETE_FORGOTTEN_INVITATIONS: Statement<{ id: string }> = {
  name: 'delete_forgotten_invitations',
  text: `with d as materialized (
      select organization_id, id from invitations where least(accepted_at, revoked_at, expires_at) < $2::timestamptz
      order by least(accepted_at, revoked_at, expires_at) limit $1 for update skip locked
    )
    delete from invitations i using ${keysIn('d', KEY)} where ${isSameKey('i', KEY)} returning i.id`,
};

/** $1 who sent them, $2 how many at most. */
const DELETE_INVITATIONS_BY_INVITER: Statement<{ id: string }> = {
  name: 'delete_invitations_by_inviter',
  text: `with found as materialized (
      select organization_id, id from invitations where invited_by = $1 order by created_at limit $2
    )
    delete from invitations i using ${keysIn('found', KEY)} where i.invited_by = $1 and ${isSameKey('i', KEY)} returning i.id`,
};

/** $1 the address that they were sent to, $2 how many at most. */
const DELETE_INVITATIONS_TO_ADDRESS: Statement<{ id: string }> = {
  name: 'delete_invitations_to_address',
  text: `with found as materialized (
      select organization_id, id from invitations where email = $1 order by created_at limit $2
    )
    delete from invitations i using ${keysIn('found', KEY)} where i.email = $1 and ${isSameKey('i', KEY)} returning i.id`,
};

/** $1 who accepted them, $2 how many at most. */
const DELETE_INVITATIONS_BY_ACCEPTOR: Statement<{ id: string }> = {
  name: 'delete_invitations_by_acceptor',
  text: `with found as materialized (
      select organization_id, id from invitations where accepted_by = $1 order by organization_id, id limit $2
    )
    delete from invitations i using ${keysIn('found', KEY)} where i.accepted_by = $1 and ${isSameKey('i', KEY)} returning i.id`,
};

/** Deleted organizations with rows left, oldest deletion first. $1 and $2: the previous one, $3: how many. */
export const LIST_ORGANIZATIONS_TO_ERASE: Statement<{ id: string; deleted_at: Date }> = {
  name: 'list_organizations_to_erase',
  text: `select id, deleted_at from organizations
    where deleted_at is not null and erased_at is null and (deleted_at, id) > ($1, $2)
    order by deleted_at, id limit $3`,
};

/** The name and all other identifying fields are cleared first, and at once. */
export const ERASE_ORGANIZATION_CONTENT: Statement<never> = {
  name: 'erase_organization_content',
  text: `update organizations set name = 'Deleted organization', slug = id, billing_details = null
    where id = $1 and deleted_at is not null and slug <> id`,
};

export const UPDATE_ORGANIZATION_ERASED: Statement<never> = {
  name: 'update_organization_erased',
  text: 'update organizations set erased_at = $2 where id = $1 and deleted_at is not null and erased_at is null',
};

/** Those with only their own row left. $1 and $2: the previous one, $3: how many. */
export const LIST_ERASED_ORGANIZATIONS: Statement<{ id: string; erased_at: Date }> = {
  name: 'list_erased_organizations',
  text: `select id, erased_at from organizations where erased_at is not null and (erased_at, id) > ($1, $2)
    order by erased_at, id limit $3`,
};

/** Its log names the organization, and is deleted by walking through the organizations. */
export const DELETE_ERASED_ORGANIZATION: Statement<{ id: string }> = {
  name: 'delete_erased_organization',
  text: `delete from organizations where id = $1 and erased_at is not null
      and not exists (select from audit_entries where organization_id = $1) returning id`,
};
