import { type Reaction, reactTo } from '../events/index.ts';
import { ORG_MEMBER_REMOVED } from '../organizations/index.ts';
import { updateApiTokensOfOwnerRevoked } from './api-tokens/queries.ts';

/**
 * The API tokens that a former member created in an organization end with the membership. They would be refused anyway,
 * but a new invitation must not make them valid again. The membership has ended, so no more can be created.
 */
export const ON_ORG_MEMBER_REMOVED: Reaction = reactTo(ORG_MEMBER_REMOVED, async (tx, member) => {
  await updateApiTokensOfOwnerRevoked(tx, { organizationId: member.organization_id, userId: member.user_id });
});
