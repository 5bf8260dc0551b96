import { type Static, Type } from 'typebox';
import { ALL_SCOPES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { NameInput } from '../../users/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Scopes = Type.Array(Type.Enum([...ALL_SCOPES], { title: 'Scope' }), {
  minItems: 1,
  maxItems: 100,
  // `uniqueItems` would express this, but Java clients of openapi-generator do not compile with a set of enums.
  description: 'Without duplicates.',
});

/** Revoked tokens are not shown, so there is no such status. */

const WEEK_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;

/** The body of POST /v1/api-tokens. */
export const ApiTokenInput = Type.Object(
  {
    name: NameInput,
    scopes: Scopes,
    expires_at: Type.Optional(
      Type.Union([Timestamp, Type.Null()], {
        description: 'When the token expires. If null or omitted, it never does.',
      }),
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
        description:
          'How long the old token keeps working, unless it expires earlier. With 0 it stops working immediately.',
      }),
    ),
    expires_at: Type.Optional(
      Type.Union([Timestamp, Type.Null()], {
        description:
          'When the new token expires. Null means never. If omitted, it gets the same lifetime as the old token.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RotationInput = Static<typeof RotationInput>;

/** How long a replaced token stays valid if the request does not specify it. */
export const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS;

/** An API token as the API shows one: never its secret. */
export const ApiToken = Type.Object(
  {
    id: Type.String({ pattern: idPattern('apiToken') }),
    name: Type.String(),
    prefix: Type.String({ description: 'The first characters of the token, to identify it.' }),
    scopes: Scopes,
    status: Type.Enum(['active', 'expired']),
    created_at: Timestamp,
    expires_at: Type.Union([Timestamp, Type.Null()]),
    last_used_at: Type.Union([Timestamp, Type.Null()], { description: 'Accurate to the minute.' }),
    replaced_by: Type.Union([Type.String({ pattern: idPattern('apiToken') }), Type.Null()], {
      description: 'The token that replaced it by rotation.',
    }),
  },
  { title: 'ApiToken' },
);
export type ApiToken = Static<typeof ApiToken>;

/** The response to its creation, the only one that contains the secret. */
export const CreatedApiToken = Type.Object(
  {
    ...ApiToken.properties,
    token: Type.String({ description: 'The secret token. It is shown only once; we store only its hash.' }),
  },
  { title: 'CreatedApiToken' },
);
export type CreatedApiToken = Static<typeof CreatedApiToken>;
