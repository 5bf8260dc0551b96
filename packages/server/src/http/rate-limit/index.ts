export {
  clientAddress,
  clientKey,
  isInNetworks,
  type Network,
  type ParsedNetworks,
  parseNetworks,
} from './client-address.ts';
export { RATE_LIMIT_HEADERS, resetAtSeconds, retryAfterSeconds, setRateLimitHeaders } from './headers.ts';
export type { RateLimiter, TakeRequest } from './limiter.ts';
export { MemoryLimiter, type MemoryLimiterOptions } from './memory-limiter.ts';
export {
  type EndpointLimit,
  type ParsedRateLimits,
  parseRateLimits,
  type RateLimits,
  SANDBOX_MULTIPLIER,
  type Tier,
  type TierWindow,
} from './policies.ts';
export { connectRedisLimiter, type RedisLimiterOptions } from './redis-limiter.ts';
export type { Decision, Subject, WindowLimit, WindowState } from './windows.ts';
