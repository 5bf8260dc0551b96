export { createOrganization } from './create-organization.ts';
export { findFirstMembership, type MembershipRow } from './queries.ts';
