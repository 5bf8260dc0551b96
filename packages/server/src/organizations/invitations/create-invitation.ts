import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { type ApiError, type AuthorizedContext, httpError, invalidRequest } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { lockUserById, parseEmail } from '../../users/index.ts';
import { type Invitation, ORG_MEMBER_INVITED } from '../events.ts';
import { lockAsAdmin } from '../lock-as-admin.ts';
import { hasMemberWithEmail } from '../members/queries.ts';
import { invitationMail } from './invitation-mail.ts';
import { presentInvitation } from './present-invitation.ts';
import { countInvitations, type InvitationRow, insertInvitation, revokeExpiredInvitation } from './queries.ts';
import type { InvitationInput } from './schemas.ts';

/** What inviting needs besides the request. */
export interface InvitationTools {
  outbox: Outbox;
  mailer: Mailer;
  authUrl: string;
  baseUrl: string;
}

/**
 * Invites an address to the request's organization, by a mail that holds the token. An invitation that has expired makes
 * way for the new one. Throws `already_exists` for a member and for an address whose invitation is open, `conflict` where
 * too many were sent.
 */
export async function createInvitation(
  context: AuthorizedContext,
  tools: InvitationTools,
  input: InvitationInput,
): Promise<Invitation> {
  const { organizationId, userId } = context.principal;
  const email = parseEmail(input.email);
  if (email === undefined) {
    throw invalidRequest('email', 'format', 'email must be an e-mail address.');
  }
  return context.database.transaction(async (tx) => {
    // The user before the organization, as whoever joins does it. What they send in several organizations is counted.
    await lockUserById(tx, userId);
    const { organization, admin: inviter } = await lockAsAdmin(tx, context.principal);
    if (await hasMemberWithEmail(tx, organizationId, email)) {
      throw alreadyExists('Somebody with this e-mail address is a member already.');
    }
    const token = newToken(TOKEN_PREFIXES.invitation);
    const row = await writeInvitation(tx, { organizationId, email, role: input.role, invitedBy: userId, token });
    const invitation = presentInvitation(row);
    await tools.outbox.announce(tx, organizationId, organization.clock_offset_ms, [
      announcement(ORG_MEMBER_INVITED, { ...invitation, invitation_id: row.id }),
    ]);
    await recordAudit(tx, actorOf(context), {
      action: 'invitation.created',
      targetType: 'invitation',
      targetId: row.id,
      after: { ...invitation },
    });
    await tools.mailer.queue(tx, invitationMail({ organization, inviter, invitation, token, authUrl: tools.authUrl }));
    return invitation;
  });
}

async function writeInvitation(
  tx: Queries,
  {
    token,
    ...invitation
  }: Pick<InvitationRow, 'email' | 'role'> & {
    organizationId: string;
    invitedBy: string;
    token: string;
  },
): Promise<InvitationRow> {
  const { organizationId, email, invitedBy } = invitation;
  await revokeExpiredInvitation(tx, organizationId, email);
  const row = await insertInvitation(tx, { ...invitation, id: newId('invitation'), tokenHash: hashToken(token) });
  if (row === undefined) {
    throw alreadyExists('This e-mail address has been invited already.');
  }
  await requireRoom(tx, { organizationId, email, invitedBy });
  return row;
}

/**
 * Every invitation is a mail to a stranger, whose sender is us: nobody sends many of them by it. What was sent counts for a
 * day, revoked or not, and whatever organizations it was sent from, since everybody can make more of them.
 */
async function requireRoom(
  tx: Queries,
  invitation: { organizationId: string; email: string; invitedBy: string },
): Promise<void> {
  const counts = await countInvitations(tx, invitation);
  if (counts.open > MAX_OPEN) {
    throw httpError('conflict', `At most ${MAX_OPEN} invitations may be open: revoke some, or wait for answers.`);
  }
  if (counts.by_inviter > MAX_BY_INVITER_A_DAY) {
    throw httpError(
      'conflict',
      `Nobody sends more than ${MAX_BY_INVITER_A_DAY} invitations a day: try again tomorrow.`,
    );
  }
  if (counts.to_address > MAX_TO_ADDRESS_A_DAY) {
    throw httpError('conflict', `An address is invited at most ${MAX_TO_ADDRESS_A_DAY} times a day.`);
  }
}

const MAX_OPEN = 100;
const MAX_BY_INVITER_A_DAY = 100;
const MAX_TO_ADDRESS_A_DAY = 20;

function alreadyExists(message: string): ApiError {
  return httpError('already_exists', message, { details: { field: 'email' } });
}
