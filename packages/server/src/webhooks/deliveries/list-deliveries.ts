import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { requireEndpoint } from '../endpoint-state/require-endpoint.ts';
import { DELIVERY_LIST } from './delivery-list.ts';
import { presentDelivery } from './present-delivery.ts';
import type { Delivery } from './schemas.ts';

/** An endpoint's deliveries, a page at a time, or not_found. */
export async function listDeliveries(
  { database, principal: { organizationId, clockOffsetMs } }: AuthorizedContext,
  endpointId: string,
  page: PageRequest,
): Promise<ListPage<Delivery>> {
  await requireEndpoint(database, organizationId, endpointId);
  return DELIVERY_LIST.getPage(database, page, { organizationId, clockOffsetMs, endpointId }, presentDelivery);
}
