import { type AuthorizedContext, type ListPage, notFound, type PageRequest, toPage } from '../../http/index.ts';
import { requireEndpoint } from '../endpoints/require-endpoint.ts';
import { presentDelivery, presentDeliveryDetail } from './present-delivery.ts';
import { findDelivery, listAttempts, listDeliveries } from './queries.ts';
import type { Delivery, DeliveryDetail } from './schemas.ts';

/** An endpoint's deliveries, a page at a time, or not_found. */
export async function readDeliveries(
  { database, principal }: AuthorizedContext,
  endpointId: string,
  page: PageRequest,
): Promise<ListPage<Delivery>> {
  await requireEndpoint(database, principal.organizationId, endpointId);
  const rows = await database.run(listDeliveries(principal.organizationId, endpointId, page));
  return toPage(rows, page, (row) => ({ value: row.created_at.toISOString(), id: row.id }), presentDelivery);
}

/** One delivery of an endpoint with its attempts and its event, or not_found. */
export async function readDelivery(
  { database, principal }: AuthorizedContext,
  endpointId: string,
  id: string,
): Promise<DeliveryDetail> {
  const { organizationId } = principal;
  await requireEndpoint(database, organizationId, endpointId);
  const row = await findDelivery(database, organizationId, endpointId, id);
  if (row === undefined) {
    throw notFound('delivery');
  }
  // Up to the delivery's own count, so that both tell of the same moment without a transaction around them.
  const attempts = await listAttempts(database, organizationId, id, row.attempts, MOST_ATTEMPTS);
  return presentDeliveryDetail(organizationId, row, attempts);
}

const MOST_ATTEMPTS = 100;
