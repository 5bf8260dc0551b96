import { type Reaction, reactTo } from '../events/index.ts';
import { ORG_MEMBER_REMOVED } from '../organizations/index.ts';
import { clearAppCreator } from './apps/clear-app-creator.ts';
import { endGrantsOfMember } from './grants/end-grants.ts';

/**
 * A former member's grants in an organization end with the membership. The apps that they registered stay with the
 * organization, because others use them, but are no longer theirs. The membership has ended, so no more can be created.
 */
export const ON_ORG_MEMBER_REMOVED: Reaction = reactTo(ORG_MEMBER_REMOVED, async (tx, member) => {
  const { organization_id: organizationId, user_id: userId } = member;
  // The audit entry of the removal says who removed the member, and from which address.
  await clearAppCreator(tx, { ...UNKNOWN, organizationId, userId: member.removed_by }, userId);
  await endGrantsOfMember(tx, organizationId, userId);
});

const UNKNOWN = { credentialKind: 'none', credentialId: null, requestId: null, clientAddress: null } as const;
