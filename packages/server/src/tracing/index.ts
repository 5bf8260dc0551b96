export { startTracing } from './start-tracing.ts';
export { type TracedRequest, tracing } from './tracing.ts';
