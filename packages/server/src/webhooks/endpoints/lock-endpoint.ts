import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';
import { lockEndpointStates } from '../delivering/state-queries.ts';
import { type EndpointRow, findEndpoint } from './queries.ts';

/**
 * An endpoint, locked until the transaction ends together with all that is about its deliveries. Every change of it begins
 * with this. Throws not_found when it is deleted, or another organization's.
 */
export async function lockEndpoint(tx: Queries, key: EndpointKey): Promise<EndpointRow> {
  const [state] = await lockEndpointStates(tx, [key]);
  const row = state === undefined ? undefined : await findEndpoint(tx, key);
  if (row === undefined) {
    throw notFound('webhook');
  }
  return row;
}
