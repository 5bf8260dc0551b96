import { type Static, Type } from 'typebox';

const STRICT = { additionalProperties: false };
const ExternalId = Type.String({ minLength: 1, maxLength: 255 });
const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' });
const OrganizationName = Type.String({ minLength: 1, maxLength: 255 });
const line = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const Organization = Type.Object(
  {
    kind: Type.Literal('organization'),
    external_id: ExternalId,
    name: Type.String({ minLength: 1, maxLength: 100 }),
    admin_email: Email,
    notes: Type.Optional(line(10_000)),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 500 }))),
    billing_details: Type.Optional(
      Type.Partial(
        Type.Object({ legal_name: line(200), address: line(1_000), tax_id: line(64), email: Email }, STRICT),
        STRICT,
      ),
    ),
  },
  STRICT,
);

const User = Type.Object(
  {
    kind: Type.Literal('user'),
    organization: OrganizationName,
    email: Email,
    role: Type.Optional(Type.Enum(['admin', 'billing', 'member'])),
  },
  STRICT,
);

const License = Type.Object(
  {
    kind: Type.Literal('license'),
    external_id: ExternalId,
    organization: OrganizationName,
    product: Type.String({ minLength: 1, maxLength: 100 }),
    max_seats: Type.Integer({ minimum: 1, maximum: 100_000 }),
    expires_at: Type.String({ description: 'A time, or never.' }),
    key_aliases: Type.Optional(Type.Array(Type.String({ minLength: 4, maxLength: 128 }), { maxItems: 20 })),
    features: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Number(), Type.String({ maxLength: 255 })])),
    ),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    policy: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  STRICT,
);

/** The schemas of the lines, by kind. */
export const ROW_SCHEMAS = { organization: Organization, user: User, license: License };

export type Kind = keyof typeof ROW_SCHEMAS;
export type OrganizationRow = Static<typeof Organization>;
export type UserRow = Static<typeof User>;
export type LicenseRow = Static<typeof License>;
export type Row = OrganizationRow | UserRow | LicenseRow;

export const KINDS: readonly Kind[] = ['organization', 'user', 'license'];

/** The columns that a CSV file may have; `metadata.*` means every column that begins with `metadata.`. */
export const COLUMNS: ReadonlySet<string> = new Set([
  ...KINDS.flatMap((kind) => Object.keys(ROW_SCHEMAS[kind].properties)).filter((name) => !isGroup(name)),
  ...['billing_details', 'features', 'metadata', 'policy'].map((group) => `${group}.*`),
]);

function isGroup(name: string): boolean {
  return ['billing_details', 'features', 'metadata', 'policy'].includes(name);
}
