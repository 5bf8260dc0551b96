import { type Static, Type } from 'typebox';
import { VISIBLE_LINE, VISIBLE_LINES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { BillingDetails } from '../schemas.ts';

const Time = Type.String({ format: 'date-time' });
const TimeOrNull = Type.Union([Time, Type.Null()]);
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/** An organization as the vendor's staff and programs see it. */
export const OperatedOrganization = Type.Object(
  {
    id: Type.String({ pattern: idPattern('organization') }),
    name: Type.String(),
    slug: Type.String(),
    status: Type.Enum(['active', 'suspended']),
    suspended_at: TimeOrNull,
    suspension_reason: TextOrNull,
    member_count: Type.Integer({ minimum: 0 }),
    billing_details: Type.Union([BillingDetails, Type.Null()]),
    notes: Type.Union([Type.String(), Type.Null()], { description: 'Never shown to the customer.' }),
    external_id: Type.Union([Type.String(), Type.Null()], { description: "The customer's ID in another system." }),
    metadata: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'OperatedOrganization' },
);
export type OperatedOrganization = Static<typeof OperatedOrganization>;

/** The body of PATCH /v1/operator/organizations/{id}. What is left out stays as it is. */
export const OperatedChange = Type.Object(
  {
    status: Type.Optional(Type.Enum(['active', 'suspended'])),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: VISIBLE_LINES,
        description: 'Why it is suspended. Required with the status `suspended`, and shown to the customer.',
      }),
    ),
    notes: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 10_000, pattern: VISIBLE_LINES }), Type.Null()]),
    ),
    external_id: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 255, pattern: VISIBLE_LINE }), Type.Null()]),
    ),
    metadata: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.String({ maxLength: 500 })), Type.Null()], {
        description: 'At most 50 keys of at most 40 characters.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type OperatedChange = Static<typeof OperatedChange>;
