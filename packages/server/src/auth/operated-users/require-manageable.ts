import type { Queries } from '../../database/index.ts';
import { httpError, type Principal, requireStaffRole, userOf } from '../../http/index.ts';
import { findStaffMember } from '../staff/queries.ts';

/**
 * Whether the caller may change how this user logs in. Only owners may change the accounts of staff: otherwise, a
 * support member who knew an owner's password could turn off their second factor and log in as them. No one can change
 * their own account this way, because the routes for that require the password and a code, which a stolen session does
 * not have. Throws `forbidden` and `conflict`.
 */
export async function requireManageable(tx: Queries, principal: Principal, userId: string): Promise<void> {
  if (userOf(principal) === userId) {
    throw httpError('conflict', 'This is your own account. Use the routes below /v1/auth instead.');
  }
  if ((await findStaffMember(tx, { userId })) !== undefined) {
    requireStaffRole(principal, 'owner');
  }
}
