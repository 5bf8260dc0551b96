import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { DueNudges } from '../endpoint-state/lanes.ts';
import { ringBothLanes } from '../endpoint-state/lanes.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import { planTakenDeliveries } from '../endpoint-state/taken-queries.ts';
import { presentDelivery } from './present-delivery.ts';
import { findDelivery } from './queries.ts';
import { requireRetryCapacity } from './require-retry-capacity.ts';
import { insertManualAttempt } from './retry-queries.ts';
import type { Delivery } from './schemas.ts';

/**
 * Plans an additional immediate attempt at a delivery, regardless of its status and that of its endpoint; the schedule
 * is not changed. Returns the delivery. Throws not_found, or conflict if too many manual attempts are already waiting.
 */
export async function retryDelivery(
  context: AuthorizedContext,
  { due }: { due: DueNudges },
  endpointId: string,
  id: string,
): Promise<Delivery> {
  const { organizationId, clockOffsetMs } = context.principal;
  const key = { organization_id: organizationId, endpoint_id: endpointId };
  const delivery = await context.database.transaction(async (tx) => {
    const [state] = await lockEndpointStates(tx, [key]);
    if (state === undefined) {
      throw notFound('webhook');
    }
    await planTakenDeliveries(tx, [{ organization_id: organizationId, delivery_id: id }]);
    const row = await findDelivery(tx, { organizationId, clockOffsetMs, endpointId, id });
    if (row === undefined) {
      throw notFound('delivery');
    }
    await requireRetryCapacity(tx, key, id);
    await insertManualAttempt(tx, { organizationId, endpointId, deliveryId: id, attemptId: newId('attempt') });
    const shown = presentDelivery(row);
    await recordAudit(tx, actorOf(context), {
      action: 'webhook.delivery_retried',
      targetType: 'webhook_delivery',
      targetId: id,
      after: shown,
    });
    return shown;
  });
  // Under an Idempotency-Key this is before the commit, and the attempt begins with the next poll.
  ringBothLanes(due);
  return delivery;
}
