import { actingFor, includesStaffRole, useHasRole, useStaffRole } from '../api/index.ts';

/**
 * Whether the person may buy, change and pay here. Staff who act for a customer see the same as its admins, but not all
 * of them may.
 */
export function useMayManageBilling(): boolean {
  const hasRole = useHasRole('billing');
  const staffRole = useStaffRole();
  return actingFor === undefined ? hasRole : includesStaffRole(staffRole, 'finance');
}
