import { actorOf, recordAudit } from '../../audit/index.ts';
import { type Answer, type AuthorizedContext, runEffect } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { presentDelivery } from '../deliveries/present-delivery.ts';
import { findDelivery } from '../deliveries/queries.ts';
import { requireRetryCapacity } from '../deliveries/require-retry-capacity.ts';
import { idsOf } from '../endpoint-state/endpoint-key.ts';
import { ringBothLanes } from '../endpoint-state/lanes.ts';
import { findUrlRefusal, unknownEventType } from './endpoint-rules.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { findEndpoint } from './queries.ts';
import { insertTestDelivery } from './test-event-queries.ts';

/**
 * Plans an immediate delivery of a type's example to one endpoint, regardless of its subscriptions and status. Returns
 * the delivery. Throws not_found, validation_failed for an unknown type or a URL that is not allowed, and conflict if
 * too many are already waiting.
 */
export async function sendTestEvent(
  context: AuthorizedContext,
  { catalogue, sender, due }: EndpointTools,
  id: string,
  type: string,
): Promise<Answer<unknown>> {
  const { organizationId, clockOffsetMs } = context.principal;
  const key = { organization_id: organizationId, endpoint_id: id };
  const ids = idsOf(key);
  const present = await findEndpoint(context.database, ids);
  const refusal = present === undefined ? undefined : await findUrlRefusal(sender, present.url);
  const answer = await runEffect(context, async (tx) => {
    await lockEndpoint(tx, key);
    const definition = catalogue.find((each) => each.type === type);
    if (definition === undefined) {
      throw unknownEventType('type', type);
    }
    if (refusal !== undefined) {
      throw refusal;
    }
    const deliveryId = newId('delivery');
    await requireRetryCapacity(tx, key, deliveryId);
    await insertTestDelivery(tx, {
      ...ids,
      clockOffsetMs,
      deliveryId,
      eventId: newId('event'),
      eventType: type,
      attemptId: newId('attempt'),
      object: definition.example,
    });
    const row = await findDelivery(tx, { ...ids, clockOffsetMs, id: deliveryId });
    if (row === undefined) {
      throw new Error('a delivery that was just written is missing');
    }
    const after = presentDelivery(row);
    await recordAudit(tx, actorOf(context), { action: 'webhook.tested', targetType: 'webhook', targetId: id, after });
    return { data: after };
  });
  ringBothLanes(due);
  return answer;
}
