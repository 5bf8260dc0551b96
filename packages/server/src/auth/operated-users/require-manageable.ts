import type { Queries } from '../../database/index.ts';
import { httpError, type Principal, requireStaffRole, userOf } from '../../http/index.ts';
import { findStaffMember } from '../staff/queries.ts';

/**
 * Whether the caller may change how this user logs in. The accounts of staff are left to owners: someone in support who took
 * the second factor of an owner away, and knew the password, would be one. Nobody changes their own account this way, because
 * their own routes ask for the password and a code, which a stolen session does not have. Throws `forbidden` and `conflict`.
 */
export async function requireManageable(tx: Queries, principal: Principal, userId: string): Promise<void> {
  if (userOf(principal) === userId) {
    throw httpError('conflict', 'This is your own account. Use the routes below /v1/auth instead.');
  }
  if ((await findStaffMember(tx, { userId })) !== undefined) {
    requireStaffRole(principal, 'owner');
  }
}
