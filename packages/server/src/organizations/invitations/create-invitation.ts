import { type AuditActor, actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import {
  type ApiError,
  type AuthorizedContext,
  httpError,
  invalidRequest,
  type Role,
  userOf,
} from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { lockUserById, parseEmail } from '../../users/index.ts';
import { type Invitation, ORG_MEMBER_INVITED } from '../events.ts';
import { lockAsAdmin } from '../memberships/lock-as-admin.ts';
import { findMemberIdByEmail } from '../memberships/queries.ts';
import type { OrganizationRow } from '../organization-queries.ts';
import { invitationMail } from './invitation-mail.ts';
import { presentInvitation } from './present-invitation.ts';
import { countInvitations, type InvitationRow, insertInvitation, updateExpiredInvitationRevoked } from './queries.ts';
import type { InvitationInput } from './schemas.ts';

/** The dependencies of inviting. */
export interface InvitationTools {
  outbox: Outbox;
  mailer: Mailer;
  baseUrl: string;
}

/**
 * Invites an address to the request's organization, by a mail that contains the token. The new invitation supersedes one that
 * has expired. Throws `already_exists` for a member and for an address with a pending invitation, and `conflict` if too many
 * were sent.
 */
export async function createInvitation(
  context: AuthorizedContext,
  tools: InvitationTools,
  input: InvitationInput,
): Promise<Invitation> {
  const { organizationId, userId, acting } = context.principal;
  const email = parseInvited(input.email, 'email');
  return context.database.transaction(async (tx) => {
    // The user is locked before the organization, as when a user joins. The limits count what a user sends in all
    // organizations.
    await lockUserById(tx, { userId });
    const { organization, admin: inviter } = await lockAsAdmin(tx, context.principal);
    if ((await findMemberIdByEmail(tx, { organizationId, email })) !== undefined) {
      throw alreadyExists('A user with this email address is already a member.');
    }
    return invite(tx, tools, actorOf(context), {
      organization,
      inviter,
      email,
      role: input.role,
      invitedBy: userOf(context.principal),
      isLimited: acting === undefined,
    });
  });
}

/** An invitation before it is sent. */
interface Invited {
  organization: OrganizationRow;
  /** Undefined if staff or a program of the vendor invites. */
  inviter: { name: string; email: string } | undefined;
  email: string;
  role: Role;
  invitedBy: string | null;
  /** Whether the inviter is subject to limits. */
  isLimited: boolean;
}

/** Writes, announces, records and mails an invitation to an organization that the caller has locked, or has just created. */
export async function invite(
  tx: Queries,
  tools: InvitationTools,
  actor: AuditActor,
  { organization, inviter, email, role, invitedBy, isLimited }: Invited,
): Promise<Invitation> {
  const { id: organizationId } = organization;
  const token = newToken(TOKEN_PREFIXES.invitation);
  const row = await writeInvitation(tx, { organizationId, email, role, invitedBy, token });
  await requireInvitationLimits(tx, { organizationId, email, invitedBy: isLimited ? invitedBy : null });
  const invitation = presentInvitation(row);
  await tools.outbox.announce(tx, organizationId, organization.clock_offset_ms, [
    announcement(ORG_MEMBER_INVITED, { ...invitation, invitation_id: row.id }),
  ]);
  await recordAudit(tx, actor, {
    action: 'invitation.created',
    targetType: 'invitation',
    targetId: row.id,
    after: { ...invitation },
  });
  await tools.mailer.queue(tx, invitationMail({ organization, inviter, invitation, token, baseUrl: tools.baseUrl }));
  return invitation;
}

/** An address in its stored form. Throws `invalid_request`. */
export function parseInvited(text: string, field: string): string {
  const email = parseEmail(text);
  if (email === undefined) {
    throw invalidRequest(field, 'format', `${field} must be a valid email address.`);
  }
  return email;
}

async function writeInvitation(
  tx: Queries,
  {
    token,
    ...invitation
  }: Pick<InvitationRow, 'email' | 'role'> & {
    organizationId: string;
    invitedBy: string | null;
    token: string;
  },
): Promise<InvitationRow> {
  const { organizationId, email } = invitation;
  await updateExpiredInvitationRevoked(tx, { organizationId, email });
  const row = await insertInvitation(tx, { ...invitation, id: newId('invitation'), tokenHash: hashToken(token) });
  if (row === undefined) {
    throw alreadyExists('This email address has already been invited.');
  }
  return row;
}

/**
 * Every invitation is a mail from us to a stranger, so it must not be usable for bulk mail. Invitations count for a
 * day, revoked or not, in all organizations, because anyone can create more of those. Staff have no limit of their own,
 * because they invite for all customers.
 */
async function requireInvitationLimits(
  tx: Queries,
  invitation: { organizationId: string; email: string; invitedBy: string | null },
): Promise<void> {
  const counts = await countInvitations(tx, invitation);
  if (counts.open > MAX_OPEN) {
    throw httpError(
      'conflict',
      `An organization can have at most ${MAX_OPEN} pending invitations. Revoke some, or wait until they are accepted.`,
    );
  }
  if (counts.by_inviter > MAX_BY_INVITER_A_DAY) {
    throw httpError('conflict', `You can send at most ${MAX_BY_INVITER_A_DAY} invitations a day. Try again tomorrow.`);
  }
  if (counts.to_address > MAX_TO_ADDRESS_A_DAY) {
    throw httpError(
      'conflict',
      `An email address can be invited at most ${MAX_TO_ADDRESS_A_DAY} times a day. Try again tomorrow.`,
    );
  }
}

const MAX_OPEN = 100;
const MAX_BY_INVITER_A_DAY = 100;
const MAX_TO_ADDRESS_A_DAY = 20;

function alreadyExists(message: string): ApiError {
  return httpError('already_exists', message, { details: { field: 'email' } });
}
