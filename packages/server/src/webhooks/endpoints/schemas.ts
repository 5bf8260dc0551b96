import { type Static, type TSchema, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

const UrlInput = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'An https URL without credentials and fragment, at a public address.',
});

const EventsInput = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description:
    'Types of events, groups such as `license.*` or `license.seat.*`, or `*` for all, those to come included. What is named twice counts once.',
});

const DescriptionInput = orNull(Type.String({ maxLength: 255 }));

const SecretInput = Type.String({
  minLength: 24,
  maxLength: 128,
  pattern: '^[!-~]([ -~]*[!-~])?$',
  description:
    'A signing secret of your own: printable ASCII characters, no space at either end. Left out, one is made, which every stock library for webhooks takes.',
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

/** The body of PATCH /v1/webhooks/{webhook_id}. What is left out stays as it is. */
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

/** How long the secrets before a new one still sign where the request does not say. */
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
        description: 'How long the secrets before the new one still sign beside it; with 0 they end at once.',
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
      description: 'Any type of event, whether the endpoint subscribed to it or not.',
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
      description: 'paused by you, or disabled by the service because every attempt failed for days; events are held.',
    }),
    disabled_reason: orNull(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'WebhookEndpoint' },
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

const Secret = Type.String({ description: 'The signing secret. It is shown this once.' });
const PreviousSecretExpiresAt = orNull(
  Timestamp,
  'When the secrets before the present one stop signing; null when only the present one signs.',
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

/** How an endpoint has done of late. */
export const EndpointStatistics = Type.Object(
  {
    attempts: Type.Integer({ description: 'Those of the last 7 days, the last 1,000 at most: all else is of these.' }),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    success_rate: orNull(Type.Number({ minimum: 0, maximum: 1 }), 'From 0 to 1; null without attempts.'),
    p95_duration_ms: orNull(Type.Integer(), 'What 95 of 100 attempts took at most; null without attempts.'),
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

/** One endpoint, with how it does. */
export const WebhookEndpointDetail = Type.Object(
  {
    ...WebhookEndpoint.properties,
    previous_secret_expires_at: PreviousSecretExpiresAt,
    statistics: EndpointStatistics,
  },
  { title: 'WebhookEndpointDetail' },
);
export type WebhookEndpointDetail = Static<typeof WebhookEndpointDetail>;
