export { createOrganization } from './create-organization.ts';
export { ORG_MEMBER_REMOVED } from './events.ts';
export { type Organizations, openOrganizations } from './open-organizations.ts';
export { findFirstMembership, findOrganizationId, type MembershipRow } from './queries.ts';
