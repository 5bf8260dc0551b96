import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { countLiveEndpoint } from './state-queries.ts';

/** Throws `not_found` unless the organization has this endpoint. Does not lock it. */
export async function requireEndpoint(database: Queries, organizationId: string, endpointId: string): Promise<void> {
  if ((await countLiveEndpoint(database, { organizationId, endpointId })) === 0) {
    throw notFound('webhook');
  }
}
