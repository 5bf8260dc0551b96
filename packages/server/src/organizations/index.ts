export {
  findClockEvenIfDeleted,
  findOrganizationClock,
  lockOrganizationClock,
  updateClockOffset,
} from './clock-queries.ts';
export { createOrganization } from './create-organization.ts';
export { createOrganizations } from './create-organizations.ts';
export { endOrganization } from './end-organization.ts';
export { deleteForgottenInvitations, ORGANIZATION_ERASURES, ORGANIZATION_TABLES } from './erasure-queries.ts';
export { ORG_DELETED, ORG_MEMBER_REMOVED, ORG_REINSTATED, ORG_SUSPENDED } from './events.ts';
export { joinByInvitation } from './invitations/join-by-invitation.ts';
export { type LeavingTools, leaveOrganizations } from './leave-organizations.ts';
export { findPerson } from './memberships/find-person.ts';
export {
  findFirstMembership,
  findMembership,
  listAdminEmails,
  listBillingEmails,
  listMemberIds,
  listMemberNames,
  listMembershipIds,
  listOrganizationIds,
  listOrganizationsOfUser,
  listOrganizationsOfUsers,
  lockMemberRole,
  type MembershipRow,
  type PersonRow,
  updateMemberName,
} from './memberships/queries.ts';
export { findOperatedOrganization } from './operated/queries.ts';
export {
  findOrganizationId,
  findOrganizationSlug,
  listOldOrganizations,
  lockOrganization,
} from './organization-queries.ts';
export { findProjectStatuses, type ProjectStatus } from './projects/queries.ts';
export {
  lockLicenseTier,
  type Tier,
  updateLicenseTier,
  updateSubscriptionTier,
} from './tier-queries.ts';
export { listAllOrganizations, listEndedOrganizations } from './walk-queries.ts';
