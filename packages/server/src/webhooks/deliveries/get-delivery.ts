import { findEvent } from '../../events/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { requireEndpoint } from '../endpoint-state/require-endpoint.ts';
import { presentDeliveryDetail } from './present-delivery.ts';
import { findDelivery, listAttempts } from './queries.ts';
import type { DeliveryDetail } from './schemas.ts';

/** One delivery of an endpoint with its attempts and its event, or not_found. */
export async function getDelivery(
  { database, principal: { organizationId, clockOffsetMs } }: AuthorizedContext,
  endpointId: string,
  id: string,
): Promise<DeliveryDetail> {
  await requireEndpoint(database, organizationId, endpointId);
  const row = await findDelivery(database, { organizationId, clockOffsetMs, endpointId, id });
  if (row === undefined) {
    throw notFound('delivery');
  }
  // Up to the delivery's own count, so that both show the same moment without a transaction around them.
  const newestFirst = await listAttempts(database, {
    organizationId,
    deliveryId: id,
    upToNumber: row.attempts,
    limit: MAX_ATTEMPTS,
  });
  // The event's retention may end before its delivery's.
  const object = row.test_object ?? (await findEvent(database, { organizationId, id: row.event_id }))?.object ?? null;
  return presentDeliveryDetail(organizationId, row, object, newestFirst.toReversed());
}

const MAX_ATTEMPTS = 100;
