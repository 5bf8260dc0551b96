export type { Fault } from './faults.ts';
export { openStripeDouble, type StripeDouble } from './open-stripe-double.ts';
export type { StripeEvent } from './world.ts';
