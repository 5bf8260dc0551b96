import { type RawBuilder, sql } from 'kysely';
import { build, type Queries, type Statement } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest, type Role } from '../../http/index.ts';
import type { Invitation } from '../events.ts';

/** An invitation as it is kept, with how it stands by the database's clock. */
export interface InvitationRow {
  organization_id: string;
  id: string;
  email: string;
  role: Role;
  invited_by: string;
  status: Invitation['status'];
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
}

/** Writes an invitation, or answers undefined when the address has one that is still open. */
export async function insertInvitation(
  tx: Queries,
  invitation: { organizationId: string; id: string; email: string; role: Role; invitedBy: string; tokenHash: Buffer },
): Promise<InvitationRow | undefined> {
  const { organizationId, id, email, role, invitedBy, tokenHash } = invitation;
  return (await tx.query(INSERT_INVITATION, [organizationId, id, email, role, invitedBy, tokenHash]))[0];
}

/** Revokes the invitation of this address that has expired, which makes room for another. */
export async function revokeExpiredInvitation(tx: Queries, organizationId: string, email: string): Promise<void> {
  await tx.query(REVOKE_EXPIRED_INVITATION, [organizationId, email]);
}

/** How many invitations stand against another one. */
export interface InvitationCounts {
  /** Those of the organization that wait for an answer. */
  open: number;
  /** Those that the user sent within a day, in whatever organization. */
  by_inviter: number;
  /** Those that the address got within a day, from whatever organization. */
  to_address: number;
}

/** Counts what bounds an invitation, itself included once it is written. */
export async function countInvitations(
  tx: Queries,
  { organizationId, email, invitedBy }: { organizationId: string; email: string; invitedBy: string },
): Promise<InvitationCounts> {
  const [row] = await tx.query(COUNT_INVITATIONS, [organizationId, email, invitedBy]);
  if (row === undefined) {
    throw new Error('a count came without a row');
  }
  return row;
}

/** A page of an organization's invitations. */
export async function listInvitations(
  database: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<InvitationRow[]> {
  const { status, role, created_after: createdAfter, created_before: createdBefore } = page.filters;
  let query = build
    .selectFrom('invitations')
    .select(['organization_id', 'id', 'email', 'invited_by', 'created_at', 'expires_at', 'accepted_at'])
    .select([sql<Role>`role`.as('role'), sql<Invitation['status']>`${sql.raw(STATUS)}`.as('status')])
    .where('organization_id', '=', organizationId);
  if (status !== undefined) {
    query = query.where(hasStatus(status));
  }
  if (role !== undefined) {
    query = query.where('role', '=', role);
  }
  if (createdAfter !== undefined) {
    query = query.where('created_at', '>', new Date(createdAfter));
  }
  if (createdBefore !== undefined) {
    query = query.where('created_at', '<', new Date(createdBefore));
  }
  const column = page.sort === 'created_at' ? 'created_at' : 'email';
  const paged = query.where(afterCursor(page, column)).orderBy(inOrder(page, column));
  return database.run(paged.limit(page.limit + 1).compile());
}

/** Revokes an invitation that waits for an answer; undefined when there is no such, or it waits no more. */
export async function revokeInvitation(
  tx: Queries,
  organizationId: string,
  id: string,
): Promise<InvitationRow | undefined> {
  return (await tx.query(REVOKE_INVITATION, [organizationId, id]))[0];
}

/** Revokes what a user sent and what waits for an answer; answers it as it stands then. */
export async function revokeInvitationsByInviter(
  tx: Queries,
  organizationId: string,
  userId: string,
): Promise<InvitationRow[]> {
  return tx.query(REVOKE_INVITATIONS_BY_INVITER, [organizationId, userId]);
}

/** Revokes all that wait for an answer, or have expired without one. */
export async function revokeOpenInvitations(tx: Queries, organizationId: string): Promise<void> {
  await tx.query(REVOKE_OPEN_INVITATIONS, [organizationId]);
}

/** One invitation of the organization, however it stands. */
export async function findInvitation(
  database: Queries,
  organizationId: string,
  id: string,
): Promise<InvitationRow | undefined> {
  return (await database.query(FIND_INVITATION, [organizationId, id]))[0];
}

/** The invitation that a token belongs to, however it stands. The token alone tells the organization. */
export async function findInvitationByToken(database: Queries, tokenHash: Buffer): Promise<InvitationRow | undefined> {
  return (await database.query(FIND_INVITATION_BY_TOKEN, [tokenHash]))[0];
}

/** Spends an invitation that waits for an answer, for the user with the invited address; undefined when it is not so. */
export async function acceptInvitationRow(
  tx: Queries,
  invitation: { organizationId: string; id: string },
  userId: string,
): Promise<InvitationRow | undefined> {
  return (await tx.query(ACCEPT_INVITATION, [invitation.organizationId, invitation.id, userId]))[0];
}

const STATUS = `case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked'
    when expires_at <= clock_timestamp() then 'expired' else 'pending' end`;

const COLUMNS = `organization_id, id, email, role, invited_by, ${STATUS} as status, created_at, expires_at, accepted_at`;

/** The clock by a subselect: it is read once, not for every row. */
function hasStatus(status: string): RawBuilder<boolean> {
  const isOpen = sql<boolean>`accepted_at is null and revoked_at is null`;
  switch (status) {
    case 'accepted':
      return sql<boolean>`accepted_at is not null`;
    case 'revoked':
      return sql<boolean>`accepted_at is null and revoked_at is not null`;
    case 'expired':
      return sql<boolean>`${isOpen} and expires_at <= (select clock_timestamp())`;
    default:
      return sql<boolean>`${isOpen} and expires_at > (select clock_timestamp())`;
  }
}

const INSERT_INVITATION: Statement<InvitationRow> = {
  name: 'insert_invitation',
  text: `insert into invitations (organization_id, id, email, role, invited_by, token_hash, created_at, expires_at)
    select $1, $2, $3, $4, $5, $6, n.t, n.t + interval '7 days' from (select clock_timestamp() as t) n
    on conflict (organization_id, email) where accepted_at is null and revoked_at is null do nothing
    returning ${COLUMNS}`,
};

const REVOKE_EXPIRED_INVITATION: Statement<never> = {
  name: 'revoke_expired_invitation',
  text: `update invitations set revoked_at = clock_timestamp()
    where organization_id = $1 and email = $2 and accepted_at is null and revoked_at is null
      and expires_at <= clock_timestamp()`,
};

/** Two of the counts go across organizations on purpose: they stop what is sent from many of them. */
const COUNT_INVITATIONS: Statement<InvitationCounts> = {
  name: 'count_invitations',
  text: `select
      (select count(*) from invitations where organization_id = $1 and accepted_at is null and revoked_at is null
        and expires_at > (select clock_timestamp())) as open,
      (select count(*) from invitations where invited_by = $3
        and created_at > (select clock_timestamp() - interval '1 day')) as by_inviter,
      (select count(*) from invitations where email = $2
        and created_at > (select clock_timestamp() - interval '1 day')) as to_address`,
};

const REVOKE_INVITATION: Statement<InvitationRow> = {
  name: 'revoke_invitation',
  text: `update invitations set revoked_at = clock_timestamp()
    where organization_id = $1 and id = $2 and accepted_at is null and revoked_at is null
      and expires_at > clock_timestamp()
    returning ${COLUMNS}`,
};

const REVOKE_INVITATIONS_BY_INVITER: Statement<InvitationRow> = {
  name: 'revoke_invitations_by_inviter',
  text: `update invitations set revoked_at = clock_timestamp()
    where organization_id = $1 and invited_by = $2 and accepted_at is null and revoked_at is null
      and expires_at > clock_timestamp()
    returning ${COLUMNS}`,
};

const REVOKE_OPEN_INVITATIONS: Statement<never> = {
  name: 'revoke_open_invitations',
  text: `update invitations set revoked_at = clock_timestamp()
    where organization_id = $1 and accepted_at is null and revoked_at is null`,
};

const FIND_INVITATION: Statement<InvitationRow> = {
  name: 'find_invitation',
  text: `select ${COLUMNS} from invitations where organization_id = $1 and id = $2`,
};

const FIND_INVITATION_BY_TOKEN: Statement<InvitationRow> = {
  name: 'find_invitation_by_token',
  text: `select ${COLUMNS} from invitations where token_hash = $1`,
};

const ACCEPT_INVITATION: Statement<InvitationRow> = {
  name: 'accept_invitation',
  text: `update invitations set accepted_at = clock_timestamp(), accepted_by = $3
    where organization_id = $1 and id = $2 and accepted_at is null and revoked_at is null
      and expires_at > clock_timestamp() and email = (select email from users where id = $3)
    returning ${COLUMNS}`,
};
