export {
  ACCESS,
  ALL_SCOPES,
  type Access,
  includesRole,
  isScope,
  ROLES,
  type Role,
  requireAccess,
  SCOPES,
  type Scope,
  scopesOfRole,
} from './access.ts';
export { ApiError, type ErrorDefinition, HTTP_ERRORS, httpError, invalidRequest, notFound } from './errors.ts';
export { deleteExpiredKeys } from './idempotency.ts';
export { afterCursor, inOrder, type ListDefinition, type ListPage, type PageRequest, toPage } from './lists/index.ts';
export type { Principal, TokenOutcome, TokenResolver } from './principal.ts';
export { type Answer, type AuthorizedContext, defineRoute, type RequestContext, type Route } from './route.ts';
