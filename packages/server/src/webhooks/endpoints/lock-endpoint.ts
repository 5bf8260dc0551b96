import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { type EndpointKey, idsOf } from '../endpoint-state/endpoint-key.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import { type EndpointRow, findEndpoint } from './queries.ts';

/**
 * Locks an endpoint until the transaction ends, with everything about its deliveries. Every change of it begins with
 * this. Throws not_found if it is deleted or belongs to another organization.
 */
export async function lockEndpoint(tx: Queries, key: EndpointKey): Promise<EndpointRow> {
  const [state] = await lockEndpointStates(tx, [key]);
  const row = state === undefined ? undefined : await findEndpoint(tx, idsOf(key));
  if (row === undefined) {
    throw notFound('webhook');
  }
  return row;
}
