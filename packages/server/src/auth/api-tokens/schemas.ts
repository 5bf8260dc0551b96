import { type Static, Type } from 'typebox';
import { ALL_SCOPES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { NameInput } from '../../users/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Scopes = Type.Array(Type.Enum([...ALL_SCOPES]), { minItems: 1, maxItems: 100 });

/** A revoked token is shown no more, so it has no status. */
export const API_TOKEN_STATUSES = ['active', 'expired'] as const;

const WEEK_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;

/** The body of POST /v1/api-tokens. */
export const ApiTokenInput = Type.Object(
  {
    name: NameInput,
    scopes: Scopes,
    expires_at: Type.Optional(
      Type.Union([Timestamp, Type.Null()], { description: 'When the token ends; null, or left out: never.' }),
    ),
  },
  { additionalProperties: false },
);
export type ApiTokenInput = Static<typeof ApiTokenInput>;

/** The body of POST /v1/api-tokens/{id}/rotate. */
export const RotationInput = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: WEEK_SECONDS,
        default: DAY_SECONDS,
        description: 'How long the old token still works, unless it expires before; with 0 it ends at once.',
      }),
    ),
    expires_at: Type.Optional(
      Type.Union([Timestamp, Type.Null()], {
        description: 'When the new token ends; null: never. Left out: it lives as long as the old one was made to.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RotationInput = Static<typeof RotationInput>;

/** How long a replaced token lives on where the request does not say. */
export const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS;

/** An API token as the API shows one: never its secret. */
export const ApiToken = Type.Object(
  {
    id: Type.String({ pattern: idPattern('apiToken') }),
    name: Type.String(),
    prefix: Type.String({ description: 'The first characters of the token, to recognise it by.' }),
    scopes: Scopes,
    status: Type.Enum([...API_TOKEN_STATUSES]),
    created_at: Timestamp,
    expires_at: Type.Union([Timestamp, Type.Null()]),
    last_used_at: Type.Union([Timestamp, Type.Null()], { description: 'True to the minute.' }),
    replaced_by: Type.Union([Type.String({ pattern: idPattern('apiToken') }), Type.Null()], {
      description: 'The token that took its place by rotation.',
    }),
  },
  { title: 'ApiToken' },
);
export type ApiToken = Static<typeof ApiToken>;

/** The answer of the creation, the only one that holds the secret. */
export const CreatedApiToken = Type.Object(
  {
    ...ApiToken.properties,
    token: Type.String({ description: 'The secret. It is shown this once; only its hash is kept.' }),
  },
  { title: 'CreatedApiToken' },
);
export type CreatedApiToken = Static<typeof CreatedApiToken>;
