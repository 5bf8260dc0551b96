import { type ApiError, httpError, notFound } from './errors.ts';
import type { Principal } from './principal.ts';
import { ALL_SCOPES, includesRole, type Role, type Scope } from './scopes.ts';
import { includesStaffRole, type StaffRole } from './staff-roles.ts';

/** Who may call a route. */
export type Access =
  | { kind: 'public' }
  | {
      kind: 'token';
      scope?: Scope;
      role: Role;
      sessionOnly?: boolean;
      /** The path parameter that names a user who may do this to themselves, with a session token and any role. */
      orSelf?: string;
      acting: Acting;
      /** Whether tokens of a suspended organization may still use it. */
      whileSuspended?: true;
      /** Whether the token of an activated machine is sufficient. */
      byActivation?: true;
      /** Whether the page behind a portal link may use it. */
      byPortal?: true;
    }
  /** The vendor's staff and programs, regardless of the organization they act in. */
  | { kind: 'operator'; staff: StaffRole };

/**
 * Which staff may do this for an organization that they name in X-Organization-Id: those with one of these roles; none,
 * because it is about the caller's own account (`self`); or none, because only members may (`never`).
 */
export type Acting = readonly [StaffRole, ...StaffRole[]] | 'self' | 'never';

/** The table of contract §6 and §14, by the names of its rows. Routes, the API reference and tests use it. */
export const ACCESS = {
  public: { kind: 'public' },
  readProfile: { kind: 'token', scope: 'read:profile', role: 'member', acting: 'self', whileSuspended: true },
  writeProfile: { kind: 'token', scope: 'write:profile', role: 'member', sessionOnly: true, acting: 'self' },
  /** Everything about a person together, so a token that may only read the profile is not enough. */
  exportProfile: { kind: 'token', scope: 'read:profile', role: 'member', sessionOnly: true, acting: 'self' },
  readLicenses: { kind: 'token', scope: 'read:licenses', role: 'member', acting: ['viewer'] },
  /** Staff never hold a customer's seat. */
  useSeats: { kind: 'token', scope: 'manage:licenses', role: 'member', acting: 'never', byActivation: true },
  releaseSeats: { kind: 'token', scope: 'manage:licenses', role: 'member', acting: ['support'], byActivation: true },
  readPublicKey: { kind: 'token', scope: 'read:licenses', role: 'member', acting: ['viewer'], byActivation: true },
  manageActivations: { kind: 'token', scope: 'manage:licenses', role: 'admin', acting: ['support'] },
  readProjects: { kind: 'token', scope: 'read:projects', role: 'member', acting: ['viewer'] },
  writeProjects: { kind: 'token', scope: 'write:projects', role: 'member', acting: ['support'] },
  listOwnOrganizations: { kind: 'token', scope: 'read:org', role: 'member', acting: 'self' },
  readOrganization: { kind: 'token', scope: 'read:org', role: 'member', acting: ['viewer'] },
  /** The use case decides which role may change which field. */
  changeOrganization: { kind: 'token', scope: 'admin:org', role: 'admin', acting: ['support', 'finance'] },
  deleteOrganization: { kind: 'token', scope: 'admin:org', role: 'admin', acting: ['owner'] },
  readAdministration: { kind: 'token', scope: 'admin:org', role: 'admin', acting: ['viewer'] },
  manageMembers: { kind: 'token', scope: 'admin:org', role: 'admin', acting: ['support'] },
  removeMember: { kind: 'token', scope: 'admin:org', role: 'admin', orSelf: 'user_id', acting: ['support'] },
  readEvents: { kind: 'token', scope: 'read:org', role: 'admin', acting: ['viewer'] },
  readWebhooks: { kind: 'token', scope: 'read:org', role: 'admin', acting: ['viewer'], byPortal: true },
  manageWebhooks: { kind: 'token', scope: 'admin:org', role: 'admin', acting: ['support'], byPortal: true },
  /** Staff are never shown the secrets that the page behind the link shows. */
  createPortalLink: { kind: 'token', scope: 'admin:org', role: 'admin', acting: 'never' },
  readBilling: { kind: 'token', scope: 'read:org', role: 'billing', acting: ['viewer'], whileSuspended: true },
  readUsage: { kind: 'token', scope: 'read:org', role: 'billing', acting: ['viewer'] },
  manageBilling: { kind: 'token', scope: 'admin:org', role: 'billing', acting: ['finance'], whileSuspended: true },
  readSandbox: { kind: 'token', scope: 'admin:org', role: 'admin', acting: ['viewer'] },
  manageSandboxClock: { kind: 'token', scope: 'admin:org', role: 'admin', acting: ['support'] },
  manageSandboxCards: { kind: 'token', scope: 'admin:org', role: 'admin', acting: ['finance'] },
  anyToken: { kind: 'token', role: 'member', acting: ['viewer'], byPortal: true },
  logOut: { kind: 'token', role: 'member', sessionOnly: true, acting: 'self', whileSuspended: true },
  ownSession: { kind: 'token', role: 'member', sessionOnly: true, acting: 'self' },
  staffRead: { kind: 'operator', staff: 'viewer' },
  staffSupport: { kind: 'operator', staff: 'support' },
  staffFinance: { kind: 'operator', staff: 'finance' },
  staffOwn: { kind: 'operator', staff: 'owner' },
} as const satisfies Record<string, Access>;

/** The scopes that a role allows a session token; a token needs both its own scope and this. */
export function scopesOfRole(role: Role): readonly Scope[] {
  return ALL_SCOPES.filter((scope) => includesRole(role, LEAST_ROLE[scope]));
}

/** Throws `forbidden`, `insufficient_scope` or `two_factor_required` if this principal may not use a route. */
export function requireAccess(
  access: Exclude<Access, { kind: 'public' }>,
  principal: Principal,
  params: Readonly<Record<string, string>>,
): void {
  if (access.kind === 'operator') {
    requireStaff(access.staff, principal);
  } else if (principal.acting !== undefined) {
    requireActing(access, principal.acting.staffRole);
  } else if (principal.tokenKind === 'operator') {
    throw refuseOperator(access);
  } else {
    requireRight(access, principal, params);
  }
}

/** No role in an organization replaces a staff role: even its admin may not do this. */
function requireStaff(needs: StaffRole, { staff }: Principal): void {
  if (staff === undefined) {
    throw lacksScope('operator');
  }
  if (!staff.passedTwoFactor) {
    throw twoFactorRequired();
  }
  if (!includesStaffRole(staff.role, needs)) {
    throw lacksRole(needs, 'staff role');
  }
}

function requireActing({ acting, role }: TokenAccess, has: StaffRole): void {
  if (acting === 'self') {
    // The caller is not a member of this organization, so the request cannot be about them.
    throw notFound('organization');
  }
  if (acting === 'never') {
    throw lacksRole(role, 'role', ' in the organization');
  }
  if (!acting.some((needs) => includesStaffRole(has, needs))) {
    throw lacksRole(acting[0], 'staff role');
  }
}

/** Checks the staff role for a part of a route that it may otherwise use, for example a field. Throws `forbidden`. */
export function requireActingRole({ acting }: Principal, needs: StaffRole): void {
  if (acting !== undefined && !includesStaffRole(acting.staffRole, needs)) {
    throw lacksRole(needs, 'staff role');
  }
}

/**
 * Checks the staff role for a part of an operator route that it may otherwise use, for example a field. Throws
 * `forbidden`.
 */
export function requireStaffRole({ staff }: Principal, needs: StaffRole): void {
  if (staff === undefined || !includesStaffRole(staff.role, needs)) {
    throw lacksRole(needs, 'staff role');
  }
}

/** The error for staff whose login did not pass two-factor. */
export function twoFactorRequired(): ApiError {
  return httpError(
    'two_factor_required',
    'Your staff role takes effect only for logins with two-factor authentication. Turn it on, or log in again with a code.',
  );
}

/** An operator token without an organization cannot access any of these routes. */
function refuseOperator({ sessionOnly, scope }: TokenAccess): ApiError {
  return sessionOnly === true || scope === undefined ? needsSession() : lacksScope(scope);
}

type TokenAccess = Access & { kind: 'token' };

function requireRight(access: TokenAccess, principal: Principal, params: Readonly<Record<string, string>>): void {
  if (principal.isSuspended === true && access.whileSuspended !== true) {
    throw httpError('organization_suspended', 'The organization is suspended. Contact the vendor.');
  }
  if (principal.activation !== undefined && access.byActivation !== true) {
    throw httpError('forbidden', 'The token of an activation can only use the seats of its license.');
  }
  if (principal.portal !== undefined && access.byPortal !== true) {
    throw httpError('forbidden', 'The session of a portal link can only use the webhooks of its organization.');
  }
  if (access.orSelf !== undefined && params[access.orSelf] === principal.userId && principal.tokenKind === 'session') {
    return;
  }
  if (access.sessionOnly === true && principal.tokenKind !== 'session') {
    throw needsSession();
  }
  if (!includesRole(principal.role, access.role)) {
    throw lacksRole(access.role, 'role');
  }
  if (access.scope !== undefined && !hasScope(principal, access.scope)) {
    throw lacksScope(access.scope);
  }
}

function lacksRole(needs: Role | StaffRole, kind: string, where = ''): ApiError {
  return httpError('forbidden', `You need the ${kind} ${needs}${where} to do this.`, {
    details: { required_role: needs },
  });
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
