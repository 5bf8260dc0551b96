import { type AuthorizedContext, type ListPage, notFound, type PageRequest, toPage } from '../../http/index.ts';
import { requireEndpoint } from '../endpoints/require-endpoint.ts';
import { presentReplay } from './present-replay.ts';
import { findReplay, listReplays } from './queries.ts';
import type { Replay } from './schemas.ts';

/** An endpoint's replays, a page at a time, or not_found. */
export async function readReplays(
  { database, principal }: AuthorizedContext,
  endpointId: string,
  page: PageRequest,
): Promise<ListPage<Replay>> {
  await requireEndpoint(database, principal.organizationId, endpointId);
  const rows = await database.run(listReplays(principal.organizationId, endpointId, page));
  return toPage(rows, page, (row) => ({ value: row.created_at.toISOString(), id: row.id }), presentReplay);
}

/** One replay of an endpoint, or not_found. */
export async function readReplay(
  { database, principal }: AuthorizedContext,
  endpointId: string,
  id: string,
): Promise<Replay> {
  const { organizationId } = principal;
  await requireEndpoint(database, organizationId, endpointId);
  const row = await findReplay(database, { organization_id: organizationId, endpoint_id: endpointId }, id);
  if (row === undefined) {
    throw notFound('replay');
  }
  return presentReplay(row);
}
