import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { type ApiError, type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { hashToken, isWellFormedToken } from '../../security/index.ts';
import { lockUserById, markEmailVerified } from '../../users/index.ts';
import { type Member, ORG_MEMBER_JOINED } from '../events.ts';
import { presentMember } from '../members/present-member.ts';
import { findMember } from '../members/queries.ts';
import { requireMember } from '../members/require-member.ts';
import { findOwnOrganization, lockOrganization } from '../organization-queries.ts';
import { presentOrganization } from '../present-organization.ts';
import { insertMembership } from '../queries.ts';
import type { Organization } from '../schemas.ts';
import { presentInvitation } from './present-invitation.ts';
import { acceptInvitationRow, findInvitationByToken, type InvitationRow } from './queries.ts';

/**
 * Makes the caller a member of the organization that invited their address, and answers it. Whoever has the token reads
 * the mails to that address, so it counts as verified. A token is spent by nobody but the one it was sent to.
 */
export async function acceptInvitation(
  context: AuthorizedContext,
  outbox: Outbox,
  token: string,
): Promise<Organization> {
  if (!isWellFormedToken(token)) {
    throw unusable();
  }
  const { userId } = context.principal;
  return context.database.transaction(async (tx) => {
    const found = await findInvitationByToken(tx, hashToken(token));
    const organization = found === undefined ? undefined : await lockOrganization(tx, found.organization_id);
    if (found === undefined || organization === undefined) {
      throw unusable();
    }
    const accepted = await acceptInvitationRow(tx, { organizationId: organization.id, id: found.id }, userId);
    if (accepted === undefined) {
      throw whyNotAccepted(await findInvitationByToken(tx, hashToken(token)));
    }
    const member = await join(tx, accepted, userId);
    await outbox.announce(tx, organization.id, organization.clock_offset_ms, [
      announcement(ORG_MEMBER_JOINED, { ...member, invitation_id: accepted.id }),
    ]);
    await recordAcceptance(tx, context, { ...found, status: 'pending' }, accepted, member);
    const own = await findOwnOrganization(tx, organization.id, userId);
    if (own === undefined) {
      throw notFound('organization');
    }
    return presentOrganization(own, own.role);
  });
}

/** The user is locked, so that the copy of their name in the membership cannot miss a change of it. */
async function join(tx: Queries, { organization_id: organizationId, role }: InvitationRow, userId: string) {
  const user = await lockUserById(tx, userId);
  if (user === undefined || (await findMember(tx, organizationId, userId)) !== undefined) {
    throw httpError('conflict', 'You are a member of this organization already.');
  }
  await insertMembership(tx, { organizationId, userId, userName: user.name, role });
  await markEmailVerified(tx, userId);
  return presentMember(await requireMember(tx, organizationId, userId));
}

/** The log is that of the organization which is joined, whatever organization the request acts in. */
async function recordAcceptance(
  tx: Queries,
  context: AuthorizedContext,
  before: InvitationRow,
  accepted: InvitationRow,
  member: Member,
): Promise<void> {
  const actor = { ...actorOf(context), organizationId: accepted.organization_id };
  await recordAudit(tx, actor, {
    action: 'invitation.accepted',
    targetType: 'invitation',
    targetId: accepted.id,
    before: { ...presentInvitation(before) },
    after: { ...presentInvitation(accepted) },
  });
  await recordAudit(tx, actor, {
    action: 'member.joined',
    targetType: 'member',
    targetId: member.user_id,
    after: { ...member },
  });
}

/** Of an invitation that could not be accepted, as it stands under the lock. */
function whyNotAccepted(invitation: InvitationRow | undefined): ApiError {
  if (invitation?.status === 'expired') {
    return httpError('token_expired', 'The invitation has expired; ask for another.', {
      details: { expired_at: invitation.expires_at.toISOString() },
    });
  }
  return invitation?.status === 'pending'
    ? httpError('forbidden', 'The invitation was sent to another e-mail address: log in with that one.', {
        details: {},
      })
    : unusable();
}

function unusable(): ApiError {
  return httpError('invalid_token', 'The invitation is unknown or revoked, or was accepted already.');
}
