import type { StaffMember } from '@seathold/client';
import { useCurrentUser } from './current-user.ts';

export type StaffRole = StaffMember['role'];

/** The person's staff role; undefined for everyone else. */
export function useStaffRole(): StaffRole | undefined {
  return useCurrentUser().staff?.role;
}

/**
 * Whether a staff role allows what needs this one. They are not a hierarchy: viewers see everything, support and
 * finance each add their own permissions, and an owner may do everything.
 */
export function includesStaffRole(has: StaffRole | undefined, needs: StaffRole): boolean {
  return has !== undefined && (has === 'owner' || has === needs || needs === 'viewer');
}
