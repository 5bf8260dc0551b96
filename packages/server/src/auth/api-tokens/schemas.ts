import { type Static, Type } from 'typebox';
import { ALL_SCOPES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { NameInput } from '../../users/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Scopes = Type.Array(Type.Enum([...ALL_SCOPES]), { minItems: 1, maxItems: 100 });

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

/** An API token as the API shows one: never its secret. */
export const ApiToken = Type.Object(
  {
    id: Type.String({ pattern: idPattern('apiToken') }),
    name: Type.String(),
    prefix: Type.String({ description: 'The first characters of the token, to recognise it by.' }),
    scopes: Scopes,
    created_at: Timestamp,
    expires_at: Type.Union([Timestamp, Type.Null()]),
    last_used_at: Type.Union([Timestamp, Type.Null()], { description: 'True to the minute.' }),
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
