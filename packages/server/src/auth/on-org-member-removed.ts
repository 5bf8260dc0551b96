import { type Reaction, reactTo } from '../events/index.ts';
import { ORG_MEMBER_REMOVED } from '../organizations/index.ts';
import { revokeApiTokensOfOwner } from './api-tokens/queries.ts';
import { leaveApps } from './oauth-apps/leave-apps.ts';
import { endGrantsOfMember } from './oauth-grants/end-grants.ts';
import { NOBODY } from './record-account-audit.ts';

/**
 * What a former member made or allowed in an organization ends with the membership. The tokens would be refused without
 * this, but being invited again must not bring them back to life. The apps that they registered stay the organization's,
 * which others use, and are theirs no more. The membership is gone by now, so that nobody makes more.
 */
export const ON_ORG_MEMBER_REMOVED: Reaction = reactTo(ORG_MEMBER_REMOVED, async (tx, member) => {
  const { organization_id: organizationId, user_id: userId } = member;
  await revokeApiTokensOfOwner(tx, { organizationId, userId });
  // Of who removed them, and from where, the entry of the removal tells.
  await leaveApps(tx, { ...NOBODY, organizationId, userId: member.removed_by }, userId);
  await endGrantsOfMember(tx, organizationId, userId);
});
