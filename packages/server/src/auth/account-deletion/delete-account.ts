import { actorOf, INSTALLATION } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import {
  type Answer,
  type AuthorizedContext,
  deleteIdempotencyKeysOfUser,
  invalidRequest,
  runEffect,
} from '../../http/index.ts';
import { leaveOrganizations } from '../../organizations/index.ts';
import { lockUserForLogin, type UserForLogin, updateUserDeleted } from '../../users/index.ts';
import { endAccessOfUser } from '../accounts/end-access-of-user.ts';
import { invalidCredentials } from '../errors.ts';
import type { LoginTools } from '../login-sessions/login-tools.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { recordAccountAudit } from '../record-account-audit.ts';
import { endStaffRole } from '../staff/change-staff.ts';
import { countAndRefuse } from '../two-factor/count-and-refuse.ts';
import { findTwoFactorSecret } from '../two-factor/queries.ts';
import { resolveCode, spendCode } from '../two-factor/spend-code.ts';
import type { EndingTools } from './ending-tools.ts';
import type { AccountDeletion } from './schemas.ts';

/** The dependencies of account deletion. */
export type AccountDeletionTools = LoginTools & EndingTools;

/**
 * Deletes the caller's account: they leave all their organizations, those without other members are deleted, all their
 * tokens end, and the address can be registered again immediately. The rest of their data is erased in the background
 * (`erase-users.ts`). Throws `invalid_credentials` for a wrong password or code, which is counted as a failed login,
 * and `conflict` for the last admin of an organization that has other members or a live subscription, and for the last
 * owner among the staff.
 */
export async function deleteAccount(
  context: AuthorizedContext,
  tools: AccountDeletionTools,
  input: AccountDeletion,
): Promise<Answer<unknown>> {
  const { userId } = context.principal;
  const checkedHash = await checkOwnPassword(context.database, tools, userId, input.password);
  return runEffect(context, async (tx) => {
    const user = await lockUserForLogin(tx, { userId });
    if (user === undefined || user.is_locked) {
      return { refusal: invalidCredentials() };
    }
    if (checkedHash !== user.password_hash || !(await isProven(tx, tools, user, input.code))) {
      return countAndRefuse(tx, user);
    }
    const { organizationId: _acting, userId: _own, ...actor } = actorOf(context);
    await recordAccountAudit(tx, userId, actorOf(context), {
      action: 'user.deleted',
      targetType: 'user',
      targetId: userId,
    });
    await endStaffRole(tx, { ...actorOf(context), organizationId: INSTALLATION }, userId);
    await endAccountOfUser(tx, tools, userId, actor);
    return { data: undefined };
  });
}

/** Ends a user's memberships, tokens and account in the caller's transaction, which holds the user's row. */
export async function endAccountOfUser(
  tx: Queries,
  tools: EndingTools,
  userId: string,
  actor: Parameters<typeof leaveOrganizations>[3],
): Promise<void> {
  const organizationIds = await leaveOrganizations(tx, tools, userId, actor);
  await endAccessOfUser(tx, tools, userId);
  await tools.eraseHeldSeats(tx, organizationIds, userId);
  await deleteIdempotencyKeysOfUser(tx, { organizationIds, userId });
  await updateUserDeleted(tx, { userId, at: new Date(tools.clock.nowMs()) });
}

/** An unlocked screen and a known password must not be enough if two-factor authentication is on. */
async function isProven(
  tx: Queries,
  tools: AccountDeletionTools,
  { id }: UserForLogin,
  code: string | undefined,
): Promise<boolean> {
  const kept = await findTwoFactorSecret(tx, { userId: id });
  if (kept?.is_enabled !== true) {
    return true;
  }
  if (code === undefined) {
    throw invalidRequest('code', 'required', 'code is required because two-factor authentication is on.');
  }
  return spendCode(tx, id, await resolveCode(tx, tools, id, code));
}
