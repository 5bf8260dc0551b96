import { many, maybeOne, one, statement } from '../../database/index.ts';
import type { Role } from '../../http/index.ts';
import type { Invitation } from '../events.ts';

/** An invitation as stored, with its status by the database's clock. */
export interface InvitationRow {
  organization_id: string;
  id: string;
  email: string;
  role: Role;
  invited_by: string | null;
  status: Invitation['status'];
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
}

const STATUS = `case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked'
    when expires_at <= clock_timestamp() then 'expired' else 'pending' end`;

export const INVITATION_COLUMNS = `organization_id, id, email, role, invited_by, ${STATUS} as status, created_at, expires_at,
    accepted_at`;

export const IS_OPEN = 'accepted_at is null and revoked_at is null';
const IS_PENDING = `${IS_OPEN} and expires_at > clock_timestamp()`;

/** Inserts an invitation; undefined if the address has one that is still open. */
export const insertInvitation = statement({
  name: 'insert_invitation',
  parameters: {
    organizationId: 'text',
    id: 'text',
    email: 'text',
    role: 'text',
    invitedBy: 'text | null',
    tokenHash: 'bytea',
  },
  returns: maybeOne<InvitationRow>(),
  sql: ({ organizationId, id, email, role, invitedBy, tokenHash }) => `
    insert into invitations (organization_id, id, email, role, invited_by, token_hash, created_at, expires_at)
    select ${organizationId}, ${id}, ${email}, ${role}, ${invitedBy}, ${tokenHash}, n.t, n.t + interval '7 days'
    from (select clock_timestamp() as t) n
    on conflict (organization_id, email) where ${IS_OPEN} do nothing
    returning ${INVITATION_COLUMNS}`,
});

/** Revokes an expired invitation of this address, so that another one can be sent. */
export const updateExpiredInvitationRevoked = statement({
  name: 'revoke_expired_invitation',
  parameters: { organizationId: 'text', email: 'text' },
  sql: ({ organizationId, email }) => `
    update invitations set revoked_at = clock_timestamp()
    where organization_id = ${organizationId} and email = ${email} and ${IS_OPEN} and expires_at <= clock_timestamp()`,
});

/** The counts that limit how many invitations can be sent. */
export interface InvitationCounts {
  /** Pending invitations of the organization. */
  open: number;
  /** Invitations that the user sent within a day, in any organization. */
  by_inviter: number;
  /** Invitations that the address got within a day, from any organization. */
  to_address: number;
}

/** Two of the counts deliberately cover all organizations, to limit mails sent from many of them. */
export const countInvitations = statement({
  name: 'count_invitations',
  parameters: { organizationId: 'text', email: 'text', invitedBy: 'text | null' },
  returns: one<InvitationCounts>(),
  sql: ({ organizationId, email, invitedBy }) => `select
      (select count(*) from invitations where organization_id = ${organizationId} and ${IS_OPEN}
        and expires_at > (select clock_timestamp())) as open,
      (select count(*) from invitations where invited_by = ${invitedBy}
        and created_at > (select clock_timestamp() - interval '1 day')) as by_inviter,
      (select count(*) from invitations where email = ${email}
        and created_at > (select clock_timestamp() - interval '1 day')) as to_address`,
});

/** Revokes a pending invitation; undefined if there is none. */
export const updateInvitationRevoked = statement({
  name: 'revoke_invitation',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<InvitationRow>(),
  sql: ({ organizationId, id }) => `
    update invitations set revoked_at = clock_timestamp()
    where organization_id = ${organizationId} and id = ${id} and ${IS_PENDING} returning ${INVITATION_COLUMNS}`,
});

/** Revokes the pending invitations that a user sent. */
export const updateInvitationsRevokedByInviter = statement({
  name: 'revoke_invitations_by_inviter',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: many<InvitationRow>(),
  sql: ({ organizationId, userId }) => `
    update invitations set revoked_at = clock_timestamp()
    where organization_id = ${organizationId} and invited_by = ${userId} and ${IS_PENDING}
    returning ${INVITATION_COLUMNS}`,
});

/** Revokes all invitations that are pending or expired. */
export const updateOpenInvitationsRevoked = statement({
  name: 'revoke_open_invitations',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) =>
    `update invitations set revoked_at = clock_timestamp() where organization_id = ${organizationId} and ${IS_OPEN}`,
});

/** Finds an invitation in any status. */
export const findInvitation = statement({
  name: 'find_invitation',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<InvitationRow>(),
  sql: ({ organizationId, id }) =>
    `select ${INVITATION_COLUMNS} from invitations where organization_id = ${organizationId} and id = ${id}`,
});

/** Finds the invitation of a token, in any status. The token determines the organization. */
export const findInvitationByToken = statement({
  name: 'find_invitation_by_token',
  parameters: { tokenHash: 'bytea' },
  returns: maybeOne<InvitationRow>(),
  sql: ({ tokenHash }) => `select ${INVITATION_COLUMNS} from invitations where token_hash = ${tokenHash}`,
});

/** Accepts a pending invitation for the user with the invited address; undefined if there is none. */
export const updateInvitationAccepted = statement({
  name: 'accept_invitation',
  parameters: { organizationId: 'text', id: 'text', userId: 'text' },
  returns: maybeOne<InvitationRow>(),
  sql: ({ organizationId, id, userId }) => `
    update invitations set accepted_at = clock_timestamp(), accepted_by = ${userId}
    where organization_id = ${organizationId} and id = ${id} and ${IS_PENDING}
      and email = (select email from users where id = ${userId})
    returning ${INVITATION_COLUMNS}`,
});
