import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { type ApiError, httpError, notFound } from '../../http/index.ts';
import { hashToken, isWellFormedToken } from '../../security/index.ts';
import { type AccountRow, lockUserById, markEmailVerified } from '../../users/index.ts';
import { type Member, ORG_MEMBER_JOINED } from '../events.ts';
import { presentMember } from '../members/present-member.ts';
import { findMember } from '../members/queries.ts';
import { requireMember } from '../members/require-member.ts';
import { hasRoomForOrganization, tooManyOrganizations } from '../organization-limit.ts';
import { findOwnOrganization, lockOrganization } from '../organization-queries.ts';
import { presentOrganization } from '../present-organization.ts';
import { insertMembership } from '../queries.ts';
import type { Organization } from '../schemas.ts';
import { presentInvitation } from './present-invitation.ts';
import { acceptInvitationRow, findInvitationByToken, type InvitationRow } from './queries.ts';

/** Somebody who showed who they are and has a token of an invitation. */
interface Acceptance {
  userId: string;
  token: string;
  /** Who is written into the log of the organization that is joined, whatever organization they act in. */
  actorIn(organizationId: string): AuditActor;
}

/** What joining needs besides the transaction. */
export interface JoiningTools {
  outbox: Outbox;
  baseUrl: string;
}

/**
 * Makes a user a member of the organization that invited their address, and answers it. Whoever has the token reads the
 * mails to that address, so it counts as verified. A token is spent by nobody but the one it was sent to. Throws
 * `invalid_token`, `token_expired`, `forbidden` for another address and `conflict` for a member and for whoever is in as many
 * organizations as one may be, each before anything is written: the caller's transaction can go on.
 */
export async function joinByInvitation(
  tx: Queries,
  tools: JoiningTools,
  { userId, token, actorIn }: Acceptance,
): Promise<Organization> {
  if (!isWellFormedToken(token)) {
    throw unusable();
  }
  const tokenHash = hashToken(token);
  // The user before the organization: a login holds the user's row already when it comes here.
  const user = await lockUserById(tx, userId);
  const found = await findInvitationByToken(tx, tokenHash);
  const organization = found === undefined ? undefined : await lockOrganization(tx, found.organization_id);
  if (user === undefined || found === undefined || organization === undefined) {
    throw unusable();
  }
  const isMember = (await findMember(tx, organization.id, userId)) !== undefined;
  const canJoin = !isMember && (await hasRoomForOrganization(tx, userId));
  const invitation = { organizationId: organization.id, id: found.id };
  const accepted = canJoin ? await acceptInvitationRow(tx, invitation, userId) : undefined;
  if (accepted === undefined) {
    throw whyNotAccepted(await findInvitationByToken(tx, tokenHash), user, isMember);
  }
  const member = await addMember(tx, tools, accepted, user);
  await tools.outbox.announce(tx, organization.id, organization.clock_offset_ms, [
    announcement(ORG_MEMBER_JOINED, { ...member, invitation_id: accepted.id }),
  ]);
  await recordAcceptance(tx, actorIn(organization.id), { ...found, status: 'pending' }, accepted, member);
  const own = await findOwnOrganization(tx, organization.id, userId);
  if (own === undefined) {
    throw notFound('organization');
  }
  return presentOrganization(own, own.role);
}

/** The user is locked, so that the copy of their name in the membership cannot miss a change of it. */
async function addMember(
  tx: Queries,
  { baseUrl }: JoiningTools,
  { organization_id: organizationId, role }: InvitationRow,
  { id: userId, name }: AccountRow,
): Promise<Member> {
  await insertMembership(tx, { organizationId, userId, userName: name, role });
  await markEmailVerified(tx, userId);
  return presentMember(await requireMember(tx, organizationId, userId), baseUrl);
}

async function recordAcceptance(
  tx: Queries,
  actor: AuditActor,
  before: InvitationRow,
  accepted: InvitationRow,
  member: Member,
): Promise<void> {
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
function whyNotAccepted(invitation: InvitationRow | undefined, user: AccountRow, isMember: boolean): ApiError {
  switch (invitation?.status) {
    case 'expired':
      return httpError('token_expired', 'The invitation has expired; ask for another.', {
        details: { expired_at: invitation.expires_at.toISOString() },
      });
    case 'pending':
      if (invitation.email !== user.email) {
        return httpError('forbidden', 'The invitation was sent to another e-mail address: log in with that one.', {
          details: {},
        });
      }
      return isMember
        ? httpError('conflict', 'You are a member of this organization already.')
        : tooManyOrganizations();
    default:
      return unusable();
  }
}

function unusable(): ApiError {
  return httpError('invalid_token', 'The invitation is unknown or revoked, or was accepted already.');
}
