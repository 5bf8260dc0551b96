import type { StaffMember } from '@seathold/client';
import { useCurrentUser } from './current-user.ts';

export type StaffRole = StaffMember['role'];

/** What the person may do among the vendor's staff; undefined for everyone else. */
export function useStaffRole(): StaffRole | undefined {
  return useCurrentUser().staff?.role;
}

/**
 * Whether a staff role allows what needs this one. They are no ladder: viewers see everything, support and finance each add
 * their own to that, and an owner may do everything.
 */
export function includesStaffRole(has: StaffRole | undefined, needs: StaffRole): boolean {
  return has !== undefined && (has === 'owner' || has === needs || needs === 'viewer');
}
