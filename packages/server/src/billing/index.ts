export { BILLING_EVENTS } from './events.ts';
