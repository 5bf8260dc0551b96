export { ACCESS, type Access, requireAccess, scopesOfRole } from './access.ts';
export { ALL_SCOPES, includesRole, isScope, ROLES, type Role, SCOPES, type Scope } from './scopes.ts';
export { ApiError, type ErrorDefinition, HTTP_ERRORS, httpError, invalidRequest, notFound } from './errors.ts';
export { deleteExpiredKeys } from './idempotency.ts';
export { afterCursor, inOrder, type ListDefinition, type ListPage, type PageRequest, toPage } from './lists/index.ts';
export type { Principal, TokenOutcome, TokenResolver } from './principal.ts';
export { type Answer, type AuthorizedContext, defineRoute, type RequestContext, type Route } from './route.ts';
export { buildApp, type HttpDependencies } from './build-app.ts';
export { Metrics } from './metrics.ts';
export { describeApi } from './openapi/index.ts';
export { systemRoutes } from './system-routes.ts';
export { listen, type Listener } from './listener/index.ts';
export {
  connectRedisLimiter,
  isInNetworks,
  MemoryLimiter,
  type Network,
  parseNetworks,
  parseRateLimits,
  type RateLimiter,
  type RateLimits,
  SANDBOX_MULTIPLIER,
} from './rate-limit/index.ts';
export { clientErrorAnswerer, isForwardedInTheClear, refusePlainHttp } from './unrouted.ts';
export { readCertificate } from './read-certificate.ts';
