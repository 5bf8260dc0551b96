import type { StaffRow } from './queries.ts';
import type { StaffMember } from './schemas.ts';

/** The fields of a row that are shown. */
export function presentStaffMember(row: StaffRow): StaffMember {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    two_factor_enabled: row.two_factor_enabled,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
  };
}
