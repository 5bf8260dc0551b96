import {
  count,
  defineOrganizationTable,
  isSameKey,
  keysIn,
  many,
  type OrganizationTable,
  type PersonErasure,
  statement,
} from '../database/index.ts';

/** What this room stores about a person besides memberships, which end immediately. */
export const ORGANIZATION_ERASURES: readonly PersonErasure[] = [
  {
    table: 'invitations',
    erase: async (database, { userId, email }, limit) =>
      (await deleteInvitationsByInviter(database, { userId, limit })) +
      (await deleteInvitationsToAddress(database, { email, limit })) +
      (await deleteInvitationsByAcceptor(database, { userId, limit })),
  },
];

/** What this room stores about an organization. */
export const ORGANIZATION_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'invitations', key: ['id'] }),
  defineOrganizationTable({ table: 'projects', key: ['id'] }),
  defineOrganizationTable({ table: 'memberships', key: ['user_id'] }),
];

const KEY = ['organization_id', 'id'];

/** Deletes at most `limit` invitations that ended before this time; counts them. */
export const deleteForgottenInvitations = statement({
  name: 'delete_forgotten_invitations',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `with d as materialized (
      select organization_id, id from invitations where least(accepted_at, revoked_at, expires_at) < ${before}
      order by least(accepted_at, revoked_at, expires_at) limit ${limit} for update skip locked
    )
    delete from invitations i using ${keysIn('d', KEY)} where ${isSameKey('i', KEY)}`,
});

const deleteInvitationsByInviter = statement({
  name: 'delete_invitations_by_inviter',
  parameters: { userId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ userId, limit }) => deleteInvitations(`invited_by = ${userId}`, 'created_at', limit),
});

const deleteInvitationsToAddress = statement({
  name: 'delete_invitations_to_address',
  parameters: { email: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ email, limit }) => deleteInvitations(`email = ${email}`, 'created_at', limit),
});

const deleteInvitationsByAcceptor = statement({
  name: 'delete_invitations_by_acceptor',
  parameters: { userId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ userId, limit }) => deleteInvitations(`accepted_by = ${userId}`, 'organization_id, id', limit),
});

function deleteInvitations(condition: string, order: string, limit: string): string {
  return `with found as materialized (
      select organization_id, id from invitations where ${condition} order by ${order} limit ${limit}
    )
    delete from invitations i using ${keysIn('found', KEY)} where i.${condition} and ${isSameKey('i', KEY)}`;
}

/** Deleted organizations that still have rows, the oldest deletion first, after the given one. */
export const listOrganizationsToErase = statement({
  name: 'list_organizations_to_erase',
  parameters: { afterTime: 'timestamptz', afterId: 'text', limit: 'integer' },
  returns: many<{ id: string; deleted_at: Date }>(),
  sql: ({ afterTime, afterId, limit }) => `select id, deleted_at from organizations
    where deleted_at is not null and erased_at is null and (deleted_at, id) > (${afterTime}, ${afterId})
    order by deleted_at, id limit ${limit}`,
});

/** Clears the name and all other identifying fields, before anything else is erased. */
export const eraseOrganizationContent = statement({
  name: 'erase_organization_content',
  parameters: { id: 'text' },
  sql: ({ id }) => `
    update organizations set name = 'Deleted organization', slug = id, billing_details = null
    where id = ${id} and deleted_at is not null and slug <> id`,
});

export const updateOrganizationErased = statement({
  name: 'update_organization_erased',
  parameters: { id: 'text', erasedAtMs: 'instant' },
  sql: ({ id, erasedAtMs }) => `
    update organizations set erased_at = ${erasedAtMs}
    where id = ${id} and deleted_at is not null and erased_at is null`,
});

/** Organizations that have only their own row left, after the given one. */
export const listErasedOrganizations = statement({
  name: 'list_erased_organizations',
  parameters: { afterTime: 'timestamptz', afterId: 'text', limit: 'integer' },
  returns: many<{ id: string; erased_at: Date }>(),
  sql: ({ afterTime, afterId, limit }) => `select id, erased_at from organizations
    where erased_at is not null and (erased_at, id) > (${afterTime}, ${afterId})
    order by erased_at, id limit ${limit}`,
});

export const deleteErasedOrganization = statement({
  name: 'delete_erased_organization',
  parameters: { id: 'text' },
  sql: ({ id }) => `delete from organizations where id = ${id} and erased_at is not null`,
});
