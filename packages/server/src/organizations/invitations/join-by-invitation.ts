import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { type ApiError, httpError, notFound } from '../../http/index.ts';
import { hashToken, isWellFormedToken } from '../../security/index.ts';
import { type AccountRow, lockUserById, updateEmailVerified } from '../../users/index.ts';
import { type Member, ORG_MEMBER_JOINED } from '../events.ts';
import { presentMember } from '../memberships/present-member.ts';
import { findMember, insertMembership } from '../memberships/queries.ts';
import { requireMember } from '../memberships/require-member.ts';
import { mayJoinOrganization, tooManyOrganizations } from '../organization-limit.ts';
import { findOwnOrganization, lockOrganization } from '../organization-queries.ts';
import { presentOrganization } from '../present-organization.ts';
import type { Organization } from '../schemas.ts';
import { presentInvitation } from './present-invitation.ts';
import { findInvitationByToken, type InvitationRow, updateInvitationAccepted } from './queries.ts';

/** An authenticated user with the token of an invitation. */
interface Acceptance {
  userId: string;
  token: string;
  /** The actor for the audit log of the organization that the user joins. */
  actorIn(organizationId: string): AuditActor;
}

/** The dependencies of joining. */
export interface JoiningTools {
  outbox: Outbox;
  baseUrl: string;
}

/**
 * Makes a user a member of the organization that invited their address, and returns it. A user with the token can read
 * the mails to that address, so it counts as verified. Only the user it was sent to can use a token. Throws
 * `invalid_token`, `token_expired`, `forbidden` for another address, and `conflict` for a member or a user who is in
 * too many organizations, always before anything is written, so the caller's transaction can continue.
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
  // The user is locked before the organization, because a login already holds the user's lock here.
  const user = await lockUserById(tx, { userId });
  const found = await findInvitationByToken(tx, { tokenHash });
  const organization =
    found === undefined ? undefined : await lockOrganization(tx, { organizationId: found.organization_id });
  if (user === undefined || found === undefined || organization === undefined) {
    throw unusable();
  }
  const { id: organizationId } = organization;
  const isMember = (await findMember(tx, { organizationId, userId })) !== undefined;
  const canJoin = !isMember && (await mayJoinOrganization(tx, userId));
  const accepted = canJoin ? await updateInvitationAccepted(tx, { organizationId, id: found.id, userId }) : undefined;
  if (accepted === undefined) {
    throw refusalOf(await findInvitationByToken(tx, { tokenHash }), user, isMember);
  }
  const member = await addMember(tx, tools, accepted, user);
  await tools.outbox.announce(tx, organizationId, organization.clock_offset_ms, [
    announcement(ORG_MEMBER_JOINED, { ...member, invitation_id: accepted.id }),
  ]);
  await recordAcceptance(tx, actorIn(organizationId), { ...found, status: 'pending' }, accepted, member);
  const own = await findOwnOrganization(tx, { organizationId, userId });
  if (own === undefined) {
    throw notFound('organization');
  }
  return presentOrganization(own, own.role);
}

/** The user is locked, so that a change of the name reaches the copy in the membership. */
async function addMember(
  tx: Queries,
  { baseUrl }: JoiningTools,
  { organization_id: organizationId, role }: InvitationRow,
  { id: userId, name }: AccountRow,
): Promise<Member> {
  await insertMembership(tx, { organizationId, userId, userName: name, role });
  await updateEmailVerified(tx, { userId });
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

/** Why an invitation could not be accepted, read under the lock. */
function refusalOf(invitation: InvitationRow | undefined, user: AccountRow, isMember: boolean): ApiError {
  switch (invitation?.status) {
    case 'expired':
      return httpError('token_expired', 'The invitation has expired. Ask for a new one.', {
        details: { expired_at: invitation.expires_at.toISOString() },
      });
    case 'pending':
      if (invitation.email !== user.email) {
        return httpError(
          'forbidden',
          'The invitation was sent to a different email address. Log in with that address.',
          {
            details: {},
          },
        );
      }
      return isMember
        ? httpError('conflict', 'You are already a member of this organization.')
        : tooManyOrganizations();
    default:
      return unusable();
  }
}

function unusable(): ApiError {
  return httpError('invalid_token', 'The invitation is invalid: it was revoked, or was already accepted.');
}
