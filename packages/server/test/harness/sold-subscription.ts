import { INITIAL_STATE } from '../../src/billing/ledger/record-subscription.ts';
import type { SubscriptionState } from '../../src/billing/ledger/subscription-state.ts';

/** The first period of the subscription below: 28 days. */
export const SOLD_FROM = Date.UTC(2026, 0, 31, 12);
export const SOLD_UNTIL = Date.UTC(2026, 1, 28, 12);

/** One seat at 29.00, with nothing paid yet. For tests of pure decisions, which change the relevant fields. */
export const SOLD_SUBSCRIPTION: SubscriptionState = {
  ...INITIAL_STATE,
  organizationId: 'org_1',
  id: 'sub_1',
  status: 'active',
  plan: {
    id: 'plan_1',
    name: 'Pro',
    price: 2_900,
    currency: 'usd',
    interval: 'month',
    tier: 'pro',
    product: 'studio',
    license_features: {},
    grace_seconds: 259_200,
    heartbeat_interval_seconds: null,
    session_timeout_seconds: null,
    policy: {},
  },
  quantity: 1,
  coupon: null,
  anchorMs: SOLD_FROM,
  periodIndex: 0,
  periodStartMs: SOLD_FROM,
  periodEndMs: SOLD_UNTIL,
  accrued: 0n,
  billed: 0n,
  createdAtMs: SOLD_FROM,
};
