import { type Reaction, reactTo } from '../events/index.ts';
import { ORG_DELETED } from '../organizations/index.ts';
import { listOauthAppIds } from './apps/queries.ts';
import { endGrantsOfApp } from './grants/end-grants.ts';

/**
 * The grants of users of other organizations to the apps of a deleted organization end with it; its own members' tokens
 * end with their memberships. No app is added in the meantime, because that would wait for the organization's row.
 */
export const ON_ORG_DELETED: Reaction = reactTo(ORG_DELETED, async (tx, { organization_id: organizationId }) => {
  for (const { id } of await listOauthAppIds(tx, { organizationId })) {
    await endGrantsOfApp(tx, id);
  }
});
