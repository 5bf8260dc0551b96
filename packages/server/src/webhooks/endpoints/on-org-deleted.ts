import { type Reaction, reactTo } from '../../events/index.ts';
import { ORG_DELETED } from '../../organizations/index.ts';
import { idsOf } from '../endpoint-state/endpoint-key.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import { deleteEndpoint, listEndpointKeys } from './queries.ts';

/**
 * Deletes the endpoints of a deleted organization with it. None is added in the meantime, because that would wait for
 * its row.
 */
export const ON_ORG_DELETED: Reaction = reactTo(ORG_DELETED, async (tx, { organization_id: organizationId }) => {
  const keys = await listEndpointKeys(tx, { organizationId });
  for (const state of await lockEndpointStates(tx, keys)) {
    await deleteEndpoint(tx, idsOf(state));
  }
});
