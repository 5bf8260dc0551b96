import { Type } from 'typebox';
import { type EventDefinition, typesOf } from '../../events/index.ts';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route, withValues } from '../../http/index.ts';
import type { DueNudges } from '../endpoint-state/lanes.ts';
import { EXAMPLE_EVENT, exampleEvent } from '../events/event-schema.ts';
import { DELIVERY_LIST } from './delivery-list.ts';
import { getDelivery } from './get-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { retryDelivery } from './retry-delivery.ts';
import { Delivery, DeliveryDetail } from './schemas.ts';

/** The history of an endpoint's deliveries, and manual retries. */
export function deliveryRoutes(catalogue: readonly EventDefinition[], tools: { due: DueNudges }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/deliveries',
      operationId: 'listWebhookDeliveries',
      tag: 'Webhooks',
      summary: 'List deliveries',
      description: 'Lists deliveries with any status. There is one for each event that the endpoint is subscribed to.',
      access: ACCESS.readWebhooks,
      params: WebhookPath,
      list: withValues(DELIVERY_LIST, 'event_type', typesOf(catalogue)),
      status: 200,
      response: Delivery,
      errors: { not_found },
      example: { data: [EXAMPLE] },
      handle: (context, { params, page }) => listDeliveries(context, params.webhook_id, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
      operationId: 'getWebhookDelivery',
      tag: 'Webhooks',
      summary: 'Get a delivery',
      access: ACCESS.readWebhooks,
      params: DeliveryPath,
      status: 200,
      response: DeliveryDetail,
      errors: { not_found },
      example: { data: { ...EXAMPLE, attempts: [EXAMPLE_ATTEMPT], event: exampleEvent(catalogue) } },
      handle: async (context, { params }) => ({
        data: await getDelivery(context, params.webhook_id, params.delivery_id),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
      operationId: 'retryWebhookDelivery',
      tag: 'Webhooks',
      summary: 'Retry a delivery',
      description:
        "Makes one attempt now, regardless of the delivery's status, even if the endpoint is paused or disabled. If it succeeds, the delivery succeeds. If it fails, the retry schedule continues unchanged. Each call makes one attempt. At most 10 attempts per delivery and 1,000 per endpoint, including test events, can be waiting.",
      access: ACCESS.manageWebhooks,
      params: DeliveryPath,
      status: 200,
      response: Delivery,
      errors: { not_found, conflict },
      example: { data: EXAMPLE },
      handle: async (context, { params }) => ({
        data: await retryDelivery(context, tools, params.webhook_id, params.delivery_id),
      }),
    }),
  ];
}

const { not_found, conflict } = HTTP_ERRORS;

const WebhookPath = Type.Object({ webhook_id: Type.String() });
const DeliveryPath = Type.Object({ webhook_id: Type.String(), delivery_id: Type.String() });

const EXAMPLE = {
  id: 'dlv_01kagt2m8xf3q9wz5r7e6b4c1d',
  webhook_id: 'wh_01kagt2m8xf3q9wz5r7e6b4c1w',
  event_id: EXAMPLE_EVENT.id,
  event_type: EXAMPLE_EVENT.type,
  status: 'pending',
  attempt_count: 1,
  last_status_code: 503,
  last_error: 'http_status',
  last_attempt_at: '2026-01-31T12:00:00.400Z',
  next_attempt_at: '2026-01-31T12:01:00.700Z',
  created_at: EXAMPLE_EVENT.created,
  is_test: false,
  sequence: 42,
};

const EXAMPLE_ATTEMPT = {
  number: 1,
  at: '2026-01-31T12:00:00.400Z',
  duration_ms: 300,
  status_code: 503,
  error: 'http_status',
  response_excerpt: 'Service Unavailable',
  address: '192.0.2.10',
  trigger: 'scheduled',
};
