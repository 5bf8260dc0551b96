import type { Seathold, StaffMember } from '@seathold/client';
import { CommandFailure } from '../command-failure.ts';

/** The staff member with this email address or user ID. Throws not_found. */
export async function requireStaffMember(client: Seathold, name: string): Promise<StaffMember> {
  for await (const member of client.operator.listStaff({ limit: 100 })) {
    if (member.user_id === name || member.email === name.toLowerCase()) {
      return member;
    }
  }
  throw new CommandFailure('not_found', `${name} is not on the staff.`);
}
