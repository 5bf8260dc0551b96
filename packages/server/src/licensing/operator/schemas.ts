import { type Static, Type } from 'typebox';
import { FEATURE_KEY_PATTERN, FeatureValue, POLICY_FIELDS } from '../../billing/index.ts';
import { idPattern } from '../../ids/index.ts';
import { License, LicenseDetail, Timestamp } from '../schemas.ts';

const STRICT = { additionalProperties: false };
const OrganizationId = Type.String({ pattern: idPattern('organization') });
const orNull = <T extends Parameters<typeof Type.Array>[0]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

const AllowedUsers = orNull(
  Type.Array(Type.String({ pattern: idPattern('user') }), { maxItems: 1_000, uniqueItems: true }),
  'The IDs of the users who may take a seat, at most 1,000. Null for every member.',
);

const EffectivePolicy = Type.Object({ ...POLICY_FIELDS, allowed_users: AllowedUsers }, { title: 'LicensePolicy' });
const Overrides = Type.Partial(EffectivePolicy, { title: 'LicensePolicyOverrides' });

const PolicyInput = Type.Partial(
  Type.Object(
    {
      activation: orNull(POLICY_FIELDS.activation),
      max_offline_seconds: orNull(POLICY_FIELDS.max_offline_seconds),
      min_online_seats: orNull(POLICY_FIELDS.min_online_seats),
      max_activations: orNull(POLICY_FIELDS.max_activations),
      node_locked: orNull(POLICY_FIELDS.node_locked),
      heartbeat_interval: orNull(POLICY_FIELDS.heartbeat_interval),
      session_timeout: orNull(POLICY_FIELDS.session_timeout),
      allowed_users: AllowedUsers,
    },
    STRICT,
  ),
  {
    ...STRICT,
    title: 'LicensePolicyInput',
    description: 'The rules that the license sets itself. A field that is null is inherited again.',
  },
);

const Tier = Type.Enum(['free', 'pro', 'enterprise'], {
  description: 'The rate-limit tier of the organization while it has no subscription.',
});
const ExternalId = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });

const KeyAlias = Type.String({
  minLength: 4,
  maxLength: 128,
  pattern:
    '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]([^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])$',
});

export const OperatorLicense = Type.Object(
  {
    ...License.properties,
    available_seats: LicenseDetail.properties.available_seats,
    features: LicenseDetail.properties.features,
    organization_id: OrganizationId,
    subscription_id: orNull(Type.String({ pattern: idPattern('subscription') })),
    key_aliases: Type.Array(Type.String(), {
      description: 'Keys from another system that also identify this license.',
    }),
    external_id: orNull(Type.String(), "The vendor's own name for the license."),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    tier: orNull(Tier),
    policy: EffectivePolicy,
    policy_overrides: Overrides,
  },
  { title: 'OperatorLicense' },
);

export const OperatorLicenseDetail = Type.Object(
  { ...OperatorLicense.properties, sessions: LicenseDetail.properties.sessions },
  { title: 'OperatorLicenseDetail' },
);

const TERMS = {
  product: Type.String({ minLength: 1, maxLength: 100 }),
  max_seats: Type.Integer({ minimum: 1, maximum: 100_000 }),
  features: Type.Record(Type.String({ pattern: FEATURE_KEY_PATTERN }), FeatureValue, {
    maxProperties: 200,
    propertyNames: { pattern: FEATURE_KEY_PATTERN },
    description: 'The features of the product that the license has. The four standard features are false by default.',
  }),
  expires_at: orNull(Timestamp, 'Null for a perpetual license.'),
  external_id: orNull(ExternalId, "The vendor's own name for the license, unique in the organization."),
  key_aliases: Type.Array(KeyAlias, {
    maxItems: 20,
    description:
      'Keys that the license had in another system. Programs can use them instead of its own key. An alias is unique across all organizations.',
  }),
  metadata: Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 64 },
    description: 'Any data to keep with the license, at most 50 keys and 8 KiB of JSON.',
  }),
  policy: PolicyInput,
};

export const IssueBody = Type.Object(
  {
    organization_id: Type.String({ minLength: 1, maxLength: 64 }),
    product: TERMS.product,
    max_seats: TERMS.max_seats,
    features: Type.Optional(TERMS.features),
    expires_at: TERMS.expires_at,
    key_aliases: Type.Optional(TERMS.key_aliases),
    external_id: Type.Optional(TERMS.external_id),
    metadata: Type.Optional(TERMS.metadata),
    policy: Type.Optional(PolicyInput),
    tier: Type.Optional(Tier),
  },
  STRICT,
);

export const TermsBody = Type.Partial(Type.Object(TERMS, STRICT), { ...STRICT, minProperties: 1 });

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  published: { pattern: String.raw`^[^\x00]*[^\s\x00][^\x00]*$` },
  description: "The reason, shown in the organization's audit log.",
});
export const ReasonBody = Type.Object({ reason: Reason }, STRICT);
export const OptionalReasonBody = Type.Object({ reason: Type.Optional(Reason) }, STRICT);

export type IssueInput = Static<typeof IssueBody>;
export type TermsInput = Static<typeof TermsBody>;
export type PolicyChange = Static<typeof PolicyInput>;
