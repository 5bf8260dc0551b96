export {
  clientAddress,
  clientKey,
} from './client-address.ts';
export { resetAtSeconds, retryAfterSeconds, setRateLimitHeaders } from './headers.ts';
export type { RateLimiter } from './limiter.ts';
export { MemoryLimiter } from './memory-limiter.ts';
export {
  type EndpointLimit,
  parseRateLimits,
  type RateLimits,
  raiseLimit,
  withoutTighter,
} from './policies.ts';
export { readHttpSettings } from './read-http-settings.ts';
export { connectRedisLimiter } from './redis-limiter.ts';
export { RelayedLimiter, type RelayedRequest, RelayTarget } from './relayed-limiter.ts';
export type { Decision, Subject } from './windows.ts';
