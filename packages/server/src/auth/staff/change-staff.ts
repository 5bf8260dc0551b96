import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError, notFound, type StaffRole } from '../../http/index.ts';
import { presentStaffMember } from './present-staff-member.ts';
import { deleteStaffMember, findStaffMember, lockOwners, type StaffRow, updateStaffRole } from './queries.ts';
import type { StaffMember } from './schemas.ts';

/**
 * Gives a staff member another role, effective at their next request. Throws `not_found`, and `conflict` for the last
 * owner.
 */
export async function changeStaffRole(
  database: Queries,
  actor: AuditActor,
  userId: string,
  role: StaffRole,
): Promise<StaffMember> {
  return database.transaction(async (tx) => {
    const before = await lockStaffMember(tx, userId, role);
    if (before.role !== role) {
      await updateStaffRole(tx, { userId, role });
      await recordAudit(tx, actor, {
        action: 'staff.role_changed',
        targetType: 'staff_member',
        targetId: userId,
        before: { email: before.email, role: before.role },
        after: { email: before.email, role },
      });
    }
    return presentStaffMember({ ...before, role });
  });
}

/**
 * Removes a staff role, effective at the next request. The account stays, with its own organizations. Throws
 * `not_found`, and `conflict` for the last owner.
 */
export async function removeStaffMember(database: Queries, actor: AuditActor, userId: string): Promise<StaffMember> {
  return database.transaction(async (tx) => {
    const before = await lockStaffMember(tx, userId, undefined);
    await deleteStaffMember(tx, { userId });
    await recordAudit(tx, actor, {
      action: 'staff.removed',
      targetType: 'staff_member',
      targetId: userId,
      before: { email: before.email, role: before.role },
    });
    return presentStaffMember(before);
  });
}

/**
 * Removes the staff role of a user, in the transaction that deletes the account. Throws `conflict` for the last owner.
 * Does nothing for users who are not staff.
 */
export async function endStaffRole(tx: Queries, actor: AuditActor, userId: string): Promise<void> {
  if ((await findStaffMember(tx, { userId })) !== undefined) {
    await removeStaffMember(tx, actor, userId);
  }
}

/** Locks the owners first, so that none of them is removed or demoted in the meantime. */
async function lockStaffMember(tx: Queries, userId: string, wanted: StaffRole | undefined): Promise<StaffRow> {
  const owners = await lockOwners(tx);
  const member = await findStaffMember(tx, { userId });
  if (member === undefined) {
    throw notFound('staff_member');
  }
  if (member.role === 'owner' && wanted !== 'owner' && owners.length === 1) {
    throw lastOwner();
  }
  return member;
}

function lastOwner(): ApiError {
  return httpError('conflict', 'The last owner cannot be removed or given another role. Add another owner first.');
}
