import type { StaffRole } from '../../api/index.ts';

/** The least first. */
export const STAFF_ROLES = ['viewer', 'support', 'finance', 'owner'] as const satisfies readonly StaffRole[];

/** The role that a form names; the least if it is none. */
export function readRole(value: unknown): StaffRole {
  return STAFF_ROLES.find((role) => role === value) ?? 'viewer';
}
