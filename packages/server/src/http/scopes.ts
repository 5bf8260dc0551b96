/** The permissions of tokens (service.md "Scopes"). `operator` is only granted by the operator's command. */
export const SCOPES = {
  'read:profile': 'Read user profile',
  'write:profile': 'Update user profile',
  'read:projects': 'Read project data',
  'write:projects': 'Create and modify projects',
  'read:org': 'Read organization data',
  'admin:org': 'Full organization management',
  'read:licenses': 'Read license information',
  'manage:licenses': 'Acquire and release licenses',
} as const;

export type Scope = keyof typeof SCOPES;
export const ALL_SCOPES: readonly Scope[] = Object.keys(SCOPES).filter(isScope);

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** Roles, lowest first: each includes those before it. */
export const ROLES = ['member', 'billing', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export function includesRole(has: Role, needs: Role): boolean {
  return ROLES.indexOf(has) >= ROLES.indexOf(needs);
}
