export { createOrganization } from './create-organization.ts';
export { findFirstMembership, findOrganizationId, type MembershipRow } from './queries.ts';
