import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { requireEndpoint } from '../endpoint-state/require-endpoint.ts';
import { presentReplay } from './present-replay.ts';
import { findReplay } from './queries.ts';
import type { Replay } from './schemas.ts';

/** One replay of an endpoint, or not_found. */
export async function getReplay(
  { database, principal: { organizationId } }: AuthorizedContext,
  endpointId: string,
  id: string,
): Promise<Replay> {
  await requireEndpoint(database, organizationId, endpointId);
  const row = await findReplay(database, { organizationId, endpointId, id });
  if (row === undefined) {
    throw notFound('replay');
  }
  return presentReplay(row);
}
