import { type Static, type TSchema, Type } from 'typebox';
import { SecretText } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

const UrlInput = Type.String({
  minLength: 1,
  maxLength: 2_000,
  published: { format: 'uri' },
  description: 'An https URL without credentials or fragment that resolves to public IP addresses.',
});

const EventsInput = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description:
    'Event types, groups such as `license.*` or `license.seat.*`, or `*` for all events, including future ones. Duplicates are ignored.',
});

const DescriptionInput = orNull(Type.String({ maxLength: 255 }));

const SecretInput = Type.String({
  minLength: 24,
  maxLength: 128,
  pattern: '^[!-~]([ -~]*[!-~])?$',
  description:
    'Your own signing secret: printable ASCII characters without leading or trailing spaces. If you omit it, we generate one that works with all standard webhook libraries.',
});

/** The body of POST /v1/webhooks. */
export const EndpointInput = Type.Object(
  {
    url: UrlInput,
    events: EventsInput,
    description: Type.Optional(DescriptionInput),
    secret: Type.Optional(SecretInput),
  },
  { additionalProperties: false },
);
export type EndpointInput = Static<typeof EndpointInput>;

/** The body of PATCH /v1/webhooks/{webhook_id}. Omitted fields stay unchanged. */
export const EndpointChange = Type.Object(
  {
    url: Type.Optional(UrlInput),
    events: Type.Optional(EventsInput),
    description: Type.Optional(DescriptionInput),
    status: Type.Optional(Type.Enum(['active', 'paused'])),
  },
  { additionalProperties: false },
);
export type EndpointChange = Static<typeof EndpointChange>;

/** How long previous secrets still sign by default. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;

/** The body of POST /v1/webhooks/{webhook_id}/rotate-secret. */
export const SecretRotation = Type.Object(
  {
    secret: Type.Optional(SecretInput),
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: DEFAULT_OVERLAP_SECONDS,
        description: 'How long the previous secrets keep signing. With 0 they stop immediately.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SecretRotation = Static<typeof SecretRotation>;

/** The body of POST /v1/webhooks/{webhook_id}/test. */
export const TestInput = Type.Object(
  {
    type: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Any event type, even one that the endpoint is not subscribed to.',
    }),
  },
  { additionalProperties: false },
);
export type TestInput = Static<typeof TestInput>;

export const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const;

/** A webhook endpoint as the API shows one: never its secret. */
export const WebhookEndpoint = Type.Object(
  {
    id: Type.String({ pattern: idPattern('webhookEndpoint') }),
    url: Type.String(),
    events: Type.Array(Type.String()),
    description: orNull(Type.String()),
    status: Type.Enum([...ENDPOINT_STATUSES], {
      description:
        '`paused`: paused by you. `disabled`: disabled by the service because all attempts failed for days. In both cases, events are held.',
    }),
    disabled_reason: orNull(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'WebhookEndpoint' },
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

const Secret = SecretText('The signing secret. It is shown only once.');
const PreviousSecretExpiresAt = orNull(
  Timestamp,
  'When the previous secrets stop signing. Null if only the current secret signs.',
);

/** The answer of the creation. */
export const CreatedWebhookEndpoint = Type.Object(
  { ...WebhookEndpoint.properties, secret: Secret },
  { title: 'CreatedWebhookEndpoint' },
);
export type CreatedWebhookEndpoint = Static<typeof CreatedWebhookEndpoint>;

/** The answer of the rotation. */
export const RotatedWebhookEndpoint = Type.Object(
  { ...CreatedWebhookEndpoint.properties, previous_secret_expires_at: PreviousSecretExpiresAt },
  { title: 'RotatedWebhookEndpoint' },
);
export type RotatedWebhookEndpoint = Static<typeof RotatedWebhookEndpoint>;

/** Statistics of an endpoint's recent attempts. */
export const EndpointStatistics = Type.Object(
  {
    attempts: Type.Integer({
      description:
        'The number of attempts in the last 7 days, at most the last 1,000. The other values are based on these attempts.',
    }),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    success_rate: orNull(Type.Number({ minimum: 0, maximum: 1 }), 'From 0 to 1. Null if there are no attempts.'),
    p95_duration_ms: orNull(Type.Integer(), 'The 95th percentile of attempt durations. Null if there are no attempts.'),
    last_failure: orNull(
      Type.Object(
        { at: Timestamp, error: Type.String(), status_code: orNull(Type.Integer()) },
        { title: 'LastFailure' },
      ),
    ),
  },
  { title: 'WebhookEndpointStatistics' },
);
export type EndpointStatistics = Static<typeof EndpointStatistics>;

/** One endpoint, with its statistics. */
export const WebhookEndpointDetail = Type.Object(
  {
    ...WebhookEndpoint.properties,
    previous_secret_expires_at: PreviousSecretExpiresAt,
    statistics: EndpointStatistics,
  },
  { title: 'WebhookEndpointDetail' },
);
export type WebhookEndpointDetail = Static<typeof WebhookEndpointDetail>;
