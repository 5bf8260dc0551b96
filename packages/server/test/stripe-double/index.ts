export type { Fault } from './faults.ts';
export { type StripeDouble, startStripeDouble } from './start-stripe-double.ts';
export type { StripeEvent } from './world.ts';
