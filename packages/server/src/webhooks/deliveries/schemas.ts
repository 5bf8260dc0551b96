import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { Event } from '../event-schema.ts';

const Timestamp = Type.String({ format: 'date-time' });
const TimeOrNull = Type.Union([Timestamp, Type.Null()]);

const ErrorClass = Type.Union([Type.String(), Type.Null()], {
  description:
    'Why it failed: http_status, redirect, dns_error, forbidden_address, connect_timeout, connection_refused, connection_reset, network_unreachable, tls_error, timeout, invalid_response, event_expired or signing_error (both ours); null for success.',
});
const StatusCode = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The status that the endpoint answered; null when it answered none.',
});

/** What can become of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held'] as const;

const DELIVERY = {
  id: Type.String({ pattern: idPattern('delivery'), description: 'What X-Service-Delivery says at each attempt.' }),
  webhook_id: Type.String({ pattern: idPattern('webhookEndpoint') }),
  event_id: Type.String({ pattern: idPattern('event') }),
  event_type: Type.String(),
  status: Type.Enum([...DELIVERY_STATUSES], {
    description:
      'pending: an attempt is planned or under way. succeeded: the endpoint answered 2xx. failed: every attempt of the schedule failed. held: the endpoint was paused or disabled; replay or retry it.',
  }),
  attempt_count: Type.Integer({ minimum: 0, description: 'Attempts that have ended.' }),
  last_status_code: StatusCode,
  last_error: ErrorClass,
  last_attempt_at: TimeOrNull,
  next_attempt_at: Type.Union([Timestamp, Type.Null()], { description: 'When the schedule makes its next attempt.' }),
  created_at: Type.String({ format: 'date-time', description: 'When the event was created.' }),
  is_test: Type.Boolean({ description: 'Whether it was sent by POST /v1/webhooks/{webhook_id}/test.' }),
};

/** A delivery as a list shows one. */
export const Delivery = Type.Object(DELIVERY, { title: 'WebhookDelivery' });
export type Delivery = Static<typeof Delivery>;

const Attempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    at: Type.String({ format: 'date-time', description: 'When it began.' }),
    duration_ms: Type.Integer({ minimum: 0 }),
    status_code: StatusCode,
    error: ErrorClass,
    response_excerpt: Type.Union([Type.String(), Type.Null()], {
      description: 'The beginning of the answer, at most 4 KiB of it.',
    }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'The address that was dialled; null when it was never known.',
    }),
    trigger: Type.Enum(['scheduled', 'manual', 'test', 'replay'], {
      description: 'What made it happen: the schedule, POST …/retry, POST …/test or a replay.',
    }),
  },
  { title: 'WebhookAttempt' },
);

/** A delivery as it is read by itself. */
export const DeliveryDetail = Type.Object(
  {
    ...DELIVERY,
    attempts: Type.Array(Attempt, { description: 'The oldest first; of more than 100, the newest 100.' }),
    event: Type.Union([Event, Type.Null()], {
      description: 'The event as it is sent; null when it is kept no more.',
    }),
  },
  { title: 'WebhookDeliveryDetail' },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;
