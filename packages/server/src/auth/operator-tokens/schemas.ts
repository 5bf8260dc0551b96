import { type Static, Type } from 'typebox';
import { STAFF_ROLES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { NameInput } from '../../users/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Role = Type.Enum([...STAFF_ROLES], { description: 'What the token may do, as for staff.' });
const TimestampOrNull = Type.Union([Timestamp, Type.Null()]);

/** The body of POST /v1/operator/tokens. */
export const OperatorTokenInput = Type.Object(
  {
    name: NameInput,
    role: Role,
    expires_at: Type.Optional(
      Type.Union([Timestamp, Type.Null()], {
        description: 'When the token expires. If null or omitted, it never does.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type OperatorTokenInput = Static<typeof OperatorTokenInput>;

/** An operator token as the API shows one: never its secret. */
export const OperatorToken = Type.Object(
  {
    id: Type.String({ pattern: idPattern('operatorToken') }),
    name: Type.String(),
    role: Role,
    prefix: Type.String({ description: 'The first characters of the token.' }),
    status: Type.Enum(['active', 'expired', 'revoked']),
    created_at: Timestamp,
    created_by: Type.Union([Type.String(), Type.Null()], {
      description: 'The ID of the user or operator token that created it. Null for a command run on the server.',
    }),
    expires_at: TimestampOrNull,
    revoked_at: TimestampOrNull,
    revoked_because: Type.Union([Type.Enum(['command', 'leak']), Type.Null()], {
      description: '`leak`: the token was sent over plain HTTP.',
    }),
    last_used_at: Type.Union([Timestamp, Type.Null()], { description: 'Accurate to the minute.' }),
  },
  { title: 'OperatorToken' },
);
export type OperatorToken = Static<typeof OperatorToken>;

/** The answer of POST /v1/operator/tokens. */
export const CreatedOperatorToken = Type.Object(
  { ...OperatorToken.properties, token: Type.String({ description: 'The token. It is shown only once.' }) },
  { title: 'CreatedOperatorToken' },
);
