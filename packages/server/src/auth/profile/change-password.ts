import { actorOf } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { type AccountRow, updatePassword } from '../../users/index.ts';
import { endAccessOfUser } from '../end-access-of-user.ts';
import { recordAccountAudit } from '../record-account-audit.ts';
import type { PasswordProof } from './prove-password.ts';

/**
 * Replaces the password that was checked and ends whatever was opened with it, save the login that asks. Answers false, and
 * changes nothing, when the present one was wrong, is another by now, or the account is locked.
 */
export async function changePassword(
  tx: Queries,
  context: AuthorizedContext,
  mailer: Mailer,
  account: AccountRow,
  proof: PasswordProof,
): Promise<boolean> {
  if (!proof.isRight || !(await updatePassword(tx, account.id, proof.checkedHash, proof.newHash))) {
    return false;
  }
  await endAccessOfUser(tx, account.id, context.principal.tokenSourceId);
  await recordAccountAudit(tx, account.id, actorOf(context), {
    action: 'password.changed',
    targetType: 'user',
    targetId: account.id,
  });
  await mailer.queue(tx, {
    kind: 'password-changed',
    recipient: account.email,
    content: {
      subject: 'Your password was changed',
      paragraphs: [
        'Hello,',
        'the password of your account was changed. All other logins and all connected apps were ended; API tokens go on.',
        'If it was not you, set a new password at once by "Forgotten password", and revoke the API tokens that you do not know.',
      ],
    },
  });
  return true;
}
