import { count, exists, many, maybeOne, statement } from '../../database/index.ts';
import type { StaffRole } from '../../http/index.ts';

/** A staff member of the vendor. */
export interface StaffRow {
  user_id: string;
  email: string;
  name: string;
  role: StaffRole;
  two_factor_enabled: boolean;
  created_at: Date;
  created_by: string | null;
}

/** SQL: the columns of a staff member, and the tables they come from. */
export const STAFF_COLUMNS = `s.user_id, u.email, u.name, s.role, f.enabled_at is not null as two_factor_enabled,
  s.created_at, s.created_by`;
export const STAFF_TABLES = `staff_members s join users u on u.id = s.user_id
  left join two_factor_secrets f on f.user_id = s.user_id`;

export const findStaffMember = statement({
  name: 'find_staff_member',
  parameters: { userId: 'text' },
  returns: maybeOne<StaffRow>(),
  sql: ({ userId }) => `select ${STAFF_COLUMNS} from ${STAFF_TABLES} where s.user_id = ${userId}`,
});

/** The staff member with this address, normalized by `parseEmail`. */
export const findStaffMemberByEmail = statement({
  name: 'find_staff_member_by_email',
  parameters: { email: 'text' },
  returns: maybeOne<{ user_id: string }>(),
  sql: ({ email }) => `
    select s.user_id from users u join staff_members s on s.user_id = u.id where u.email = ${email}`,
});

/** All staff, owners and the oldest first, at most `limit`. */
export const listAllStaff = statement({
  name: 'list_all_staff',
  parameters: { limit: 'integer' },
  returns: many<StaffRow>(),
  sql: ({ limit }) => `
    select ${STAFF_COLUMNS} from ${STAFF_TABLES} order by s.role <> 'owner', s.created_at, s.user_id limit ${limit}`,
});

/** Inserts a staff member, unless the user already is one. */
export const insertStaffMember = statement({
  name: 'insert_staff_member',
  parameters: { userId: 'text', role: 'text', createdBy: 'text | null' },
  returns: count(),
  sql: ({ userId, role, createdBy }) => `
    insert into staff_members (user_id, role, created_at, created_by)
    select ${userId}, ${role}, n.t, ${createdBy} from (select clock_timestamp() as t) n
    on conflict (user_id) do nothing`,
});

export const updateStaffRole = statement({
  name: 'update_staff_role',
  parameters: { userId: 'text', role: 'text' },
  sql: ({ userId, role }) => `update staff_members set role = ${role} where user_id = ${userId}`,
});

export const deleteStaffMember = statement({
  name: 'delete_staff_member',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `delete from staff_members where user_id = ${userId}`,
});

/**
 * Locks the owners until the transaction ends. If two remove each other, the second waits here and then sees that only
 * one is left.
 */
export const lockOwners = statement({
  name: 'lock_owners',
  returns: many<{ user_id: string }>(),
  sql: () => `select user_id from staff_members where role = 'owner' order by user_id for update`,
});

/** Whether there is any staff. */
export const hasStaff = statement({
  name: 'has_staff',
  returns: exists(),
  sql: () => 'select user_id from staff_members limit 1',
});
