import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { requireEndpoint } from '../endpoint-state/require-endpoint.ts';
import { presentReplay } from './present-replay.ts';
import { REPLAY_LIST } from './replay-list.ts';
import type { Replay } from './schemas.ts';

/** An endpoint's replays, a page at a time, or not_found. */
export async function listReplays(
  { database, principal: { organizationId } }: AuthorizedContext,
  endpointId: string,
  page: PageRequest,
): Promise<ListPage<Replay>> {
  await requireEndpoint(database, organizationId, endpointId);
  return REPLAY_LIST.getPage(database, page, { organizationId, endpointId }, presentReplay);
}
