export { ACCESS, requireActingRole, requireStaffRole, scopesOfRole } from './access.ts';
export { type CookiePrefix, SessionCookies } from './browser/index.ts';
export { findCertificateProblems } from './check-certificate.ts';
export { type AppOrigins, OriginDirectory } from './cors/index.ts';
export { createHttpApp } from './create-http-app.ts';
export { createDashboardMount, type DashboardFacts } from './dashboard/index.ts';
export { Deadlines } from './deadlines.ts';
export { StoredDocument, sendDocument } from './documents/index.ts';
export {
  ApiError,
  type ErrorDefinition,
  HTTP_ERRORS,
  httpError,
  invalidRequest,
  keyReused,
  notFound,
  requestInProgress,
} from './errors.ts';
export type { Exchange } from './exchange.ts';
export { IDEMPOTENCY_CIPHERTEXTS } from './idempotency.ts';
export { deleteExpiredIdempotencyKeys, deleteIdempotencyKeysOfUser } from './idempotency-queries.ts';
export { LeakedTokens } from './leaked-tokens.ts';
export { type ConnectionServer, type Listener, listen, type ServeOptions, serveConnections } from './listener/index.ts';
export {
  beginsWith,
  defineList,
  filterBy,
  type ListDefinition,
  type ListPage,
  type PageRequest,
  sortBy,
  toPage,
  withValues,
} from './lists/index.ts';
export { type LogRequest, requestLogger } from './log-request.ts';
export { mergeMetrics } from './merge-metrics.ts';
export { Metrics } from './metrics.ts';
export { isLoopback } from './metrics-access.ts';
export { createMountServer, type Mount, type MountedEndpoint } from './mount.ts';
export {
  type ApiFragment,
  type DescribedWebhook,
  describeApi,
  headersOfStatus,
  refusalsOfEverything,
} from './openapi/index.ts';
export {
  type MemberTokenKind,
  type Principal,
  type RecalledPrincipal,
  type TokenOutcome,
  type TokenResolver,
  userOf,
} from './principal.ts';
export { createProbeHandler } from './probe-handler.ts';
export {
  clientKey,
  connectRedisLimiter,
  MemoryLimiter,
  parseRateLimits,
  type RateLimiter,
  type RateLimits,
  RelayedLimiter,
  type RelayedRequest,
  RelayTarget,
  readHttpSettings,
} from './rate-limit/index.ts';
export { readCertificate } from './read-certificate.ts';
export { isDay, readTime } from './read-time.ts';
export { createRequestLog, type RequestLog } from './request-log.ts';
export { createRequestRecords } from './request-records/index.ts';
export type { CountedResource } from './resource-count.ts';
export { ResourceMemory } from './resource-memory.ts';
export {
  type Answer,
  type Answered,
  type AuthorizedContext,
  defineRoute,
  type Refusal,
  type RequestContext,
  type Route,
} from './route.ts';
export { runEffect, runPhase } from './run-phase.ts';
export { ALL_SCOPES, includesRole, isScope, ROLES, type Role, SCOPES, type Scope } from './scopes.ts';
export { SecretText } from './secret-fields.ts';
export { STAFF_ROLES, type StaffRole } from './staff-roles.ts';
export { StreamedAnswer } from './streamed-answer.ts';
export { AVATAR_PATH, type OpenapiDocuments, openapiDocuments, systemRoutes } from './system-routes.ts';
export { clientErrorAnswerer, isForwardedInTheClear, refusePlainHttp } from './unrouted.ts';
export { VISIBLE_LINE, VISIBLE_LINES, WITHOUT_NUL } from './visible-text.ts';
