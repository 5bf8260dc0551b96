import { type Static, Type } from 'typebox';
import { defineEvent } from '../events/index.ts';
import { FeatureValue } from './feature-value.ts';

const SecondsOrNull = Type.Union([Type.Integer(), Type.Null()]);

/** What a subscription entitles its organization to from now on: the license that it pays for. */
const Entitlement = Type.Object({
  subscription_id: Type.String(),
  license_id: Type.String(),
  product: Type.String(),
  max_seats: Type.Integer(),
  features: Type.Record(Type.String(), FeatureValue),
  /** ISO 8601. */
  expires_at: Type.String(),
  /** Whether the license renews by itself, so that nobody is warned of its expiry. */
  renews: Type.Boolean(),
  /** Whether it is over for good: nobody takes one of its seats any more. */
  ended: Type.Boolean(),
  heartbeat_interval_seconds: SecondsOrNull,
  session_timeout_seconds: SecondsOrNull,
});
export type Entitlement = Static<typeof Entitlement>;

/**
 * Told to licensing, which makes the licenses so in the same transaction, whether they exist already or not. In one
 * event however many there are, so that many renewals take as many statements as one.
 */
export const ENTITLEMENTS_CHANGED = defineEvent({
  type: 'billing.entitlements.changed',
  description: 'What subscriptions entitle to changed.',
  schema: Type.Object({ entitlements: Type.Array(Entitlement) }),
  example: { entitlements: [] },
  isInternal: true,
});
