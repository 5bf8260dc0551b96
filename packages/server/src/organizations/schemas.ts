import { type Static, Type } from 'typebox';
import { ROLES, VISIBLE_LINE, VISIBLE_LINES } from '../http/index.ts';
import { idPattern } from '../ids/index.ts';
import { EmailInput, NameInput } from '../users/index.ts';

const Time = Type.String({ format: 'date-time' });
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/** The recipient of the invoices. */
export const BillingDetails = Type.Object(
  { legal_name: TextOrNull, address: TextOrNull, tax_id: TextOrNull, email: TextOrNull },
  { title: 'BillingDetails' },
);
export type BillingDetails = Static<typeof BillingDetails>;

/** An organization as the API shows one to one of its members. */
export const Organization = Type.Object(
  {
    id: Type.String({ pattern: idPattern('organization') }),
    name: Type.String(),
    slug: Type.String(),
    role: Type.Enum([...ROLES], { description: 'Your role in the organization.' }),
    created_at: Time,
    updated_at: Time,
    member_count: Type.Integer({ minimum: 0 }),
    billing_details: Type.Union([BillingDetails, Type.Null()], {
      description: 'Who invoices are addressed to. Visible to the role `billing` and higher; null for others.',
    }),
  },
  { title: 'Organization' },
);
export type Organization = Static<typeof Organization>;

/** A slug derived from a name has up to 62 characters. */
const SlugInput = Type.String({
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  description: 'Lowercase letters and digits, separated by single hyphens. Unique across all organizations.',
});

/** The body of POST /v1/orgs. */
export const OrganizationInput = Type.Object(
  { name: NameInput, slug: Type.Optional(SlugInput) },
  { additionalProperties: false },
);
export type OrganizationInput = Static<typeof OrganizationInput>;

/** One line with at least one visible character. */
const lineInput = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: VISIBLE_LINE });

const AddressInput = Type.String({
  minLength: 1,
  maxLength: 1_000,
  pattern: VISIBLE_LINES,
  description: 'The postal address as written on an envelope, with lines separated by line feeds.',
});

const clearable = <Input extends ReturnType<typeof lineInput>>(input: Input) =>
  Type.Optional(Type.Union([input, Type.Null()]));

export const BillingDetailsInput = Type.Object(
  {
    legal_name: clearable(lineInput(200)),
    address: clearable(AddressInput),
    tax_id: clearable(lineInput(64)),
    email: clearable(EmailInput),
  },
  { additionalProperties: false, title: 'BillingDetailsInput' },
);
export type BillingDetailsInput = Static<typeof BillingDetailsInput>;

/** The body of PATCH /v1/orgs/{organization_id}. */
export const OrganizationChange = Type.Object(
  {
    name: Type.Optional(NameInput),
    slug: Type.Optional(SlugInput),
    billing_details: Type.Optional(
      Type.Union([BillingDetailsInput, Type.Null()], {
        description: 'Fields that you omit stay unchanged. Null clears a field, or all of them.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type OrganizationChange = Static<typeof OrganizationChange>;

/** The body of DELETE /v1/orgs/{organization_id}. */
export const OrganizationDeletion = Type.Object(
  { confirm: Type.String({ maxLength: 1_000, description: 'The exact name of the organization.' }) },
  { additionalProperties: false },
);
export type OrganizationDeletion = Static<typeof OrganizationDeletion>;
