import { type ApiError, httpError } from './errors.ts';
import type { Principal } from './principal.ts';
import { ALL_SCOPES, includesRole, type Role, type Scope } from './scopes.ts';

/** Who may call a route. */
export type Access =
  | { kind: 'public' }
  | {
      kind: 'token';
      scope?: Scope;
      role: Role;
      sessionOnly?: boolean;
      /** The path parameter that names a user who may do this to themself, with a session token and any role. */
      orSelf?: string;
    }
  /** The operator's own programs, which act in no organization. */
  | { kind: 'operator' };

/** The table of contract §6, by the names of its rows: what routes, the API reference and tests read. */
export const ACCESS = {
  public: { kind: 'public' },
  readProfile: { kind: 'token', scope: 'read:profile', role: 'member' },
  writeProfile: { kind: 'token', scope: 'write:profile', role: 'member', sessionOnly: true },
  /** Everything about a person at once: a token that was made to read the profile does not get it. */
  exportProfile: { kind: 'token', scope: 'read:profile', role: 'member', sessionOnly: true },
  readLicenses: { kind: 'token', scope: 'read:licenses', role: 'member' },
  manageLicenses: { kind: 'token', scope: 'manage:licenses', role: 'member' },
  readProjects: { kind: 'token', scope: 'read:projects', role: 'member' },
  writeProjects: { kind: 'token', scope: 'write:projects', role: 'member' },
  readOrganization: { kind: 'token', scope: 'read:org', role: 'member' },
  manageOrganization: { kind: 'token', scope: 'admin:org', role: 'admin' },
  removeMember: { kind: 'token', scope: 'admin:org', role: 'admin', orSelf: 'user_id' },
  readEvents: { kind: 'token', scope: 'read:org', role: 'admin' },
  readWebhooks: { kind: 'token', scope: 'read:org', role: 'admin' },
  manageWebhooks: { kind: 'token', scope: 'admin:org', role: 'admin' },
  readBilling: { kind: 'token', scope: 'read:org', role: 'billing' },
  manageBilling: { kind: 'token', scope: 'admin:org', role: 'billing' },
  manageSandbox: { kind: 'token', scope: 'admin:org', role: 'admin' },
  anyToken: { kind: 'token', role: 'member' },
  ownSession: { kind: 'token', role: 'member', sessionOnly: true },
  operator: { kind: 'operator' },
} as const satisfies Record<string, Access>;

/** The scopes that a role lets a session token use; a token's right is its scopes and this, both. */
export function scopesOfRole(role: Role): readonly Scope[] {
  return ALL_SCOPES.filter((scope) => includesRole(role, LEAST_ROLE[scope]));
}

/** Throws `forbidden` or `insufficient_scope` when this principal may not use a route. */
export function requireAccess(
  access: Exclude<Access, { kind: 'public' }>,
  principal: Principal,
  params: Readonly<Record<string, string>>,
): void {
  if (access.kind === 'operator') {
    requireOperator(principal);
  } else if (principal.tokenKind === 'operator') {
    throw refuseOperator(access);
  } else {
    requireRight(access, principal, params);
  }
}

/** No role replaces the operator's token: even a user who may do everything in an organization may not do this. */
function requireOperator(principal: Principal): void {
  if (principal.tokenKind !== 'operator') {
    throw lacksScope('operator');
  }
}

/** The operator's token acts in no organization, so there is nothing here that it could be let into. */
function refuseOperator({ sessionOnly, scope }: TokenAccess): ApiError {
  return sessionOnly === true || scope === undefined ? needsSession() : lacksScope(scope);
}

type TokenAccess = Access & { kind: 'token' };

function requireRight(access: TokenAccess, principal: Principal, params: Readonly<Record<string, string>>): void {
  if (access.orSelf !== undefined && params[access.orSelf] === principal.userId && principal.tokenKind === 'session') {
    return;
  }
  if (access.sessionOnly === true && principal.tokenKind !== 'session') {
    throw needsSession();
  }
  if (!includesRole(principal.role, access.role)) {
    throw httpError('forbidden', `You need the ${access.role} role to do this.`, {
      details: { required_role: access.role },
    });
  }
  if (access.scope !== undefined && !hasScope(principal, access.scope)) {
    throw lacksScope(access.scope);
  }
}

function needsSession(): ApiError {
  return httpError('forbidden', 'This requires a session token. Get one from POST /v1/auth/login.', {
    details: { required_token: 'session' },
  });
}

function lacksScope(scope: Scope | 'operator'): ApiError {
  return httpError('insufficient_scope', `The token does not have the required scope: ${scope}.`, {
    details: { required_scope: scope },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

const LEAST_ROLE: Readonly<Record<Scope, Role>> = {
  'read:profile': 'member',
  'write:profile': 'member',
  'read:projects': 'member',
  'write:projects': 'member',
  'read:org': 'member',
  'admin:org': 'billing',
  'read:licenses': 'member',
  'manage:licenses': 'member',
};

function hasScope(principal: Principal, scope: Scope): boolean {
  return principal.scopes === 'all' || principal.scopes.includes(scope);
}
