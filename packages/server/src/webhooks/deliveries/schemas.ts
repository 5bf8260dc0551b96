import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { Event } from '../events/event-schema.ts';

const Timestamp = Type.String({ format: 'date-time' });
const TimeOrNull = Type.Union([Timestamp, Type.Null()]);

const ErrorClass = Type.Union([Type.String(), Type.Null()], {
  description:
    'Why the attempt failed: http_status, redirect, dns_error, forbidden_address, connect_timeout, connection_refused, connection_reset, network_unreachable, tls_error, timeout, invalid_response, event_expired, or signing_error. The last two are errors on our side. Null if the attempt succeeded.',
});
const StatusCode = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The HTTP status of the response. Null if there was none.',
});

/** The statuses of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held'] as const;

const DELIVERY = {
  id: Type.String({
    pattern: idPattern('delivery'),
    description: 'The value of the X-Service-Delivery header in each attempt.',
  }),
  webhook_id: Type.String({ pattern: idPattern('webhookEndpoint') }),
  event_id: Type.String({ pattern: idPattern('event') }),
  event_type: Type.String(),
  status: Type.Enum([...DELIVERY_STATUSES], {
    description:
      '`pending`: an attempt is scheduled or in progress. `succeeded`: the endpoint returned a 2xx status. `failed`: all scheduled attempts failed. `held`: the endpoint was paused or disabled; retry or replay the delivery.',
  }),
  attempt_count: Type.Integer({ minimum: 0, description: 'The number of completed attempts.' }),
  last_status_code: StatusCode,
  last_error: ErrorClass,
  last_attempt_at: TimeOrNull,
  next_attempt_at: Type.Union([Timestamp, Type.Null()], { description: 'When the next scheduled attempt is due.' }),
  created_at: Type.String({ format: 'date-time', description: 'When the event was created.' }),
  is_test: Type.Boolean({ description: 'Whether it is a test event from POST /v1/webhooks/{webhook_id}/test.' }),
  sequence: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description:
      'The value of the X-Service-Sequence header in each attempt: the deliveries of an endpoint are numbered 1, 2, 3, … without gaps. Null for deliveries created before numbering was introduced.',
  }),
};

/** A delivery as a list shows one. */
export const Delivery = Type.Object(DELIVERY, { title: 'WebhookDelivery' });
export type Delivery = Static<typeof Delivery>;

const Attempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    at: Type.String({ format: 'date-time', description: 'When the attempt began.' }),
    duration_ms: Type.Integer({ minimum: 0 }),
    status_code: StatusCode,
    error: ErrorClass,
    response_excerpt: Type.Union([Type.String(), Type.Null()], {
      description: 'The first 4 KiB of the response body.',
    }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'The IP address that the attempt connected to. Null if it was never resolved.',
    }),
    trigger: Type.Enum(['scheduled', 'manual', 'test', 'replay'], {
      description: 'What triggered the attempt: the schedule, POST …/retry, POST …/test, or a replay.',
    }),
  },
  { title: 'WebhookAttempt' },
);

/** A delivery as read individually. */
export const DeliveryDetail = Type.Object(
  {
    ...DELIVERY,
    attempts: Type.Array(Attempt, {
      description: 'The attempts, oldest first. If there are more than 100, the newest 100.',
    }),
    event: Type.Union([Event, Type.Null()], {
      description: 'The event as it is sent. Null if it is no longer kept.',
    }),
  },
  { title: 'WebhookDeliveryDetail' },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;
