export { findOrganizationClock, lockOrganizationClock, updateClockOffset } from './clock-queries.ts';
export { createOrganization } from './create-organization.ts';
export { endOrganization } from './end-organization.ts';
export { deleteForgottenInvitations, ORGANIZATION_ERASURES, ORGANIZATION_TABLES } from './erasure-queries.ts';
export { ORG_DELETED, ORG_MEMBER_REMOVED } from './events.ts';
export { joinByInvitation } from './invitations/join-by-invitation.ts';
export { type LeavingTools, leaveOrganizations } from './leave-organizations.ts';
export { listAdminEmails, listBillingEmails } from './members/queries.ts';
export { openOrganizations } from './open-organizations.ts';
export { lockOrganization } from './organization-queries.ts';
export { findProjectStatuses, type ProjectStatus } from './projects/queries.ts';
export {
  findFirstMembership,
  findOrganizationId,
  listMemberIds,
  listMembershipIds,
  listOldOrganizations,
  listOrganizationIds,
  type MembershipRow,
} from './queries.ts';
export { renameMember } from './rename-queries.ts';
export {
  lockLicenseTier,
  setLicenseTier,
  setSubscriptionTier,
  type Tier,
} from './tier-queries.ts';
