import { ROLES, type Role, type Scope, scopesOfRole } from '../../http/index.ts';

/** The lowest role whose scopes include all these; undefined if those of `role` do. */
export function findMissingRole(role: Role, scopes: readonly Scope[]): Role | undefined {
  const holdsAll = (each: Role) => scopes.every((scope) => scopesOfRole(each).includes(scope));
  return holdsAll(role) ? undefined : ROLES.find(holdsAll);
}
