export { ENTITLEMENTS_CHANGED, type Entitlement } from './entitlements.ts';
export { type Billing, openBilling } from './open-billing.ts';
