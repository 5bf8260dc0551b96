export { findOrganizationClock, lockOrganizationClock, updateClockOffset } from './clock-queries.ts';
export { createOrganization } from './create-organization.ts';
export { ORG_DELETED, ORG_MEMBER_REMOVED } from './events.ts';
export { joinByInvitation } from './invitations/join-by-invitation.ts';
export { listAdminEmails, listBillingEmails } from './members/queries.ts';
export { openOrganizations } from './open-organizations.ts';
export { findProjectStatuses, type ProjectStatus } from './projects/queries.ts';
export { findFirstMembership, findOrganizationId, listOrganizationIds, type MembershipRow } from './queries.ts';
export { renameMember } from './rename-queries.ts';
export {
  lockLicenseTier,
  setLicenseTier,
  setSubscriptionTier,
  type Tier,
} from './tier-queries.ts';
