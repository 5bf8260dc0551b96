import type { StaffRole } from '../../api/index.ts';

/** Lowest first. */
export const STAFF_ROLES = ['viewer', 'support', 'finance', 'owner'] as const satisfies readonly StaffRole[];

/** The role in a form; the lowest if it is invalid. */
export function readRole(value: unknown): StaffRole {
  return STAFF_ROLES.find((role) => role === value) ?? 'viewer';
}
