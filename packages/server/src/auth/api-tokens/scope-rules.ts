import { ROLES, type Role, type Scope, scopesOfRole } from '../../http/index.ts';

/** The least role whose scopes hold all these, where `role` does not; undefined when it does. */
export function findMissingRole(role: Role, scopes: readonly Scope[]): Role | undefined {
  const holdsAll = (each: Role) => scopes.every((scope) => scopesOfRole(each).includes(scope));
  return holdsAll(role) ? undefined : ROLES.find(holdsAll);
}
