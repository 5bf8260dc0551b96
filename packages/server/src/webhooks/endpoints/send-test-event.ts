import { actorOf, recordAudit } from '../../audit/index.ts';
import { type Answer, type AuthorizedContext, runEffect } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { presentDelivery } from '../deliveries/present-delivery.ts';
import { findDelivery } from '../deliveries/queries.ts';
import { requireRoomByHand } from '../deliveries/require-room-by-hand.ts';
import { judgeUrl, unknownEventType } from './endpoint-rules.ts';
import type { EndpointTools } from './endpoint-tools.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { findEndpoint } from './queries.ts';
import { insertTestDelivery } from './test-event-queries.ts';

/**
 * Plans a delivery of a type's example to one endpoint for now, whatever it subscribed to and whether it is active or not.
 * Answers the delivery. Throws not_found, validation_failed for an unknown type or a URL that leads where it may not, and
 * conflict when too much waits already.
 */
export async function sendTestEvent(
  context: AuthorizedContext,
  { catalogue, sender, due }: EndpointTools,
  id: string,
  type: string,
): Promise<Answer<unknown>> {
  const { organizationId } = context.principal;
  const key = { organization_id: organizationId, endpoint_id: id };
  const present = await findEndpoint(context.database, key);
  const refusal = present === undefined ? undefined : await judgeUrl(sender, present.url);
  const answer = await runEffect(context, async (tx) => {
    await lockEndpoint(tx, key);
    const definition = catalogue.find((each) => each.type === type);
    if (definition === undefined) {
      throw unknownEventType('type', type);
    }
    if (refusal !== undefined) {
      throw refusal;
    }
    const ids = { delivery: newId('delivery'), event: newId('event'), attempt: newId('attempt') };
    await requireRoomByHand(tx, key, ids.delivery);
    await insertTestDelivery(tx, key, ids, type, definition.example);
    const row = await findDelivery(tx, organizationId, id, ids.delivery);
    if (row === undefined) {
      throw new Error('a delivery that was just written is missing');
    }
    const after = presentDelivery(row);
    await recordAudit(tx, actorOf(context), { action: 'webhook.tested', targetType: 'webhook', targetId: id, after });
    return { data: after };
  });
  due.swift.ring();
  due.cautious.ring();
  return answer;
}
