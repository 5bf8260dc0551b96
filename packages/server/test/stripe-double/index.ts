export type { Fault } from './faults.ts';
export { openStripeDouble, type SeenRequest, type StripeDouble } from './open-stripe-double.ts';
export type { CollectedCharge, StripeEvent } from './world.ts';
