/**
 * The roles of the vendor's staff. They are not a hierarchy: support and finance each add their own permissions to
 * those of a viewer, and an owner may do everything.
 */
export const STAFF_ROLES = ['viewer', 'support', 'finance', 'owner'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export function includesStaffRole(has: StaffRole, needs: StaffRole): boolean {
  return has === 'owner' || has === needs || needs === 'viewer';
}
