import { type Static, Type } from 'typebox';
import { VISIBLE_LINE, VISIBLE_LINES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { EmailInput, NameInput } from '../../users/index.ts';
import { Invitation } from '../events.ts';
import { BillingDetails, BillingDetailsInput } from '../schemas.ts';

const Time = Type.String({ format: 'date-time' });
const TimeOrNull = Type.Union([Time, Type.Null()]);
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/** The facts of other rooms about an organization. */
const FACTS = {
  seats: Type.Object(
    {
      included: Type.Integer({ minimum: 0, description: 'The number of seats of all licenses that can be used now.' }),
      used: Type.Integer({ minimum: 0 }),
    },
    { title: 'OrganizationSeats' },
  ),
  plan_name: Type.Union([Type.String(), Type.Null()], {
    description: 'The plan of the highest-tier live subscription. Null if there is none.',
  }),
  balance: Type.Integer({
    minimum: 0,
    description:
      'The credit for the next invoices, in minor units of `balance_currency`. If there is credit in several currencies, this is the largest amount.',
  }),
  balance_currency: TextOrNull,
  last_active_at: Type.Union([Time, Type.Null()], {
    description: 'When a login or an API token of the organization was last used.',
  }),
};

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
    ...FACTS,
  },
  { title: 'OperatedOrganization' },
);
export type OperatedOrganization = Static<typeof OperatedOrganization>;

/** An organization in the list of all. */
export const ListedOrganization = Type.Object(
  {
    ...Type.Pick(OperatedOrganization, ['id', 'name', 'status', 'external_id', 'created_at', 'member_count'])
      .properties,
    ...FACTS,
  },
  { title: 'ListedOrganization' },
);
export type ListedOrganization = Static<typeof ListedOrganization>;

/** What only the vendor sees. */
const ANNOTATIONS = {
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
};

/** The body of PATCH /v1/operator/organizations/{id}. Omitted fields stay unchanged. */
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
    ...ANNOTATIONS,
  },
  { additionalProperties: false },
);
export type OperatedChange = Static<typeof OperatedChange>;

/** The body of POST /v1/operator/organizations. */
export const OperatedInput = Type.Object(
  {
    name: NameInput,
    admin_email: EmailInput,
    billing_details: Type.Optional(Type.Union([BillingDetailsInput, Type.Null()])),
    ...ANNOTATIONS,
  },
  { additionalProperties: false },
);
export type OperatedInput = Static<typeof OperatedInput>;

/** A new organization with the invitation of its first admin. */
export const CreatedOrganization = Type.Object(
  { ...OperatedOrganization.properties, invitation: Invitation },
  { title: 'CreatedOrganization' },
);
export type CreatedOrganization = Static<typeof CreatedOrganization>;

/** The answer of deleting an organization. */
export const OperatedDeletion = Type.Object(
  { id: OperatedOrganization.properties.id, deleted: Type.Literal(true) },
  { title: 'OperatedDeletion' },
);
export type OperatedDeletion = Static<typeof OperatedDeletion>;
