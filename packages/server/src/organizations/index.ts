export { createOrganization } from './create-organization.ts';
export { ORG_DELETED, ORG_MEMBER_REMOVED } from './events.ts';
export { joinByInvitation } from './invitations/join-by-invitation.ts';
export { listAdminEmails } from './members/queries.ts';
export { openOrganizations } from './open-organizations.ts';
export { findProjectStatuses, type ProjectStatus } from './projects/queries.ts';
export { findFirstMembership, findOrganizationId, listOrganizationIds, type MembershipRow } from './queries.ts';
export { renameMember } from './rename-queries.ts';
