export { startTracing } from './start-tracing.ts';
export { type DeliveryOutcome, type TracedRequest, type Tracing, tracing } from './tracing.ts';
