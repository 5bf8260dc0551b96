import { actorOf } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { type AccountRow, updatePassword } from '../../users/index.ts';
import { recordAccountAudit } from '../record-account-audit.ts';
import type { AccountTools } from './account-tools.ts';
import type { CheckedPasswordChange } from './check-password-change.ts';
import { endAccessOfUser } from './end-access-of-user.ts';

/**
 * Replaces the checked password and ends all access based on it, except the login of this request. Returns false, and
 * changes nothing, if the given password was wrong or has been replaced in the meantime, or the account is locked.
 */
export async function changePassword(
  tx: Queries,
  context: AuthorizedContext,
  tools: Pick<AccountTools, 'mailer' | 'connectedApps'>,
  account: AccountRow,
  proof: CheckedPasswordChange,
): Promise<boolean> {
  if (!proof.isRight || (await updatePassword(tx, { userId: account.id, ...proof })) === 0) {
    return false;
  }
  await endAccessOfUser(tx, tools, account.id, context.principal.tokenSourceId);
  await recordAccountAudit(tx, account.id, actorOf(context), {
    action: 'password.changed',
    targetType: 'user',
    targetId: account.id,
  });
  await tools.mailer.queue(tx, {
    kind: 'password-changed',
    recipient: account.email,
    content: {
      subject: 'Your password was changed',
      paragraphs: [
        'Hello,',
        'The password for your account was changed. You have been logged out everywhere else, and all connected apps were disconnected. Your API tokens keep working.',
        'If this was not you, reset your password now with "Forgot your password?" on the login page, and revoke any API tokens that you do not recognize.',
      ],
    },
  });
  return true;
}
