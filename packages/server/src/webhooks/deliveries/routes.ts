import { Type } from 'typebox';
import type { EventDefinition } from '../../events/index.ts';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, type Route } from '../../http/index.ts';
import type { Delivering } from '../delivering/delivering.ts';
import { EXAMPLE_EVENT, exampleEvent } from '../event-schema.ts';
import { readDeliveries, readDelivery } from './read-deliveries.ts';
import { retryDelivery } from './retry-delivery.ts';
import { DELIVERY_STATUSES, Delivery, DeliveryDetail } from './schemas.ts';

/** The history of an endpoint's deliveries, and one more attempt at any of them. */
export function deliveryRoutes(catalogue: readonly EventDefinition[], delivering: Pick<Delivering, 'due'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/deliveries',
      operationId: 'listWebhookDeliveries',
      tag: 'Webhooks',
      summary: "List an endpoint's deliveries",
      description: 'One for each event that the endpoint subscribed to, whatever became of it.',
      access: ACCESS.readWebhooks,
      params: WebhookPath,
      list: deliveryList(catalogue),
      status: 200,
      response: Delivery,
      errors: { not_found },
      example: { data: [EXAMPLE] },
      handle: (context, { params, page }) => readDeliveries(context, params.webhook_id, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
      operationId: 'getWebhookDelivery',
      tag: 'Webhooks',
      summary: 'Read a delivery with its attempts',
      access: ACCESS.readWebhooks,
      params: DeliveryPath,
      status: 200,
      response: DeliveryDetail,
      errors: { not_found },
      example: { data: { ...EXAMPLE, attempts: [EXAMPLE_ATTEMPT], event: exampleEvent(catalogue) } },
      handle: async (context, { params }) => ({
        data: await readDelivery(context, params.webhook_id, params.delivery_id),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
      operationId: 'retryWebhookDelivery',
      tag: 'Webhooks',
      summary: 'Attempt a delivery once more',
      description:
        'Makes one more attempt now, whatever the status of the delivery, and also while the endpoint is paused or disabled. When it succeeds, the delivery has succeeded; when it fails, the schedule goes on as it was. Each call makes one attempt; at most 10 of one delivery may wait to begin, and at most 1,000 of an endpoint, test events included.',
      access: ACCESS.manageWebhooks,
      params: DeliveryPath,
      status: 200,
      response: Delivery,
      errors: { not_found, conflict },
      example: { data: EXAMPLE },
      handle: async (context, { params }) => ({
        data: await retryDelivery(context, delivering, params.webhook_id, params.delivery_id),
      }),
    }),
  ];
}

const { not_found, conflict } = HTTP_ERRORS;

const WebhookPath = Type.Object({ webhook_id: Type.String() });
const DeliveryPath = Type.Object({ webhook_id: Type.String(), delivery_id: Type.String() });

function deliveryList(catalogue: readonly EventDefinition[]): ListDefinition {
  return {
    defaultSort: '-created_at',
    sorts: { created_at: 'time' },
    filters: {
      status: { kind: 'enum', values: DELIVERY_STATUSES },
      event_type: { kind: 'enum', values: catalogue.map((each) => each.type) },
      event_id: { kind: 'text' },
      created_after: { kind: 'time' },
      created_before: { kind: 'time' },
    },
  };
}

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
