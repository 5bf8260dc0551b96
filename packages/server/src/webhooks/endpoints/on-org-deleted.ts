import { type Reaction, reactTo } from '../../events/index.ts';
import { ORG_DELETED } from '../../organizations/index.ts';
import { lockEndpointStates } from '../delivering/state-queries.ts';
import { deleteEndpoint, listEndpointIds } from './queries.ts';

/** The endpoints of a deleted organization are deleted with it. None is added meanwhile: that would wait for its row. */
export const ON_ORG_DELETED: Reaction = reactTo(ORG_DELETED, async (tx, { organization_id }) => {
  const keys = (await listEndpointIds(tx, organization_id)).map((endpoint_id) => ({ organization_id, endpoint_id }));
  for (const { organization_id, endpoint_id } of await lockEndpointStates(tx, keys)) {
    await deleteEndpoint(tx, { organization_id, endpoint_id });
  }
});
