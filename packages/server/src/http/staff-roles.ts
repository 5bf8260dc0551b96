/**
 * What the vendor's own people may do. They are no ladder: support and finance each add their own to what a viewer sees, and
 * an owner may do everything.
 */
export const STAFF_ROLES = ['viewer', 'support', 'finance', 'owner'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export function includesStaffRole(has: StaffRole, needs: StaffRole): boolean {
  return has === 'owner' || has === needs || needs === 'viewer';
}
