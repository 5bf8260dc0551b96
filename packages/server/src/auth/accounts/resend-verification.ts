import { type AuthorizedContext, httpError } from '../../http/index.ts';
import { lockUserById } from '../../users/index.ts';
import { sendVerification, type VerificationTools } from './send-verification.ts';

/**
 * Mails the user another verification token. Throws `conflict` if the address is verified already, or five were sent
 * within the hour.
 */
export async function resendVerification(context: AuthorizedContext, tools: VerificationTools): Promise<void> {
  await context.database.transaction(async (tx) => {
    // Locked, so that concurrent requests are counted one after the other.
    const account = await lockUserById(tx, { userId: context.principal.userId });
    if (account === undefined || account.is_verified) {
      throw httpError('conflict', 'The email address is already verified.');
    }
    if (!(await sendVerification(tx, tools, account))) {
      throw httpError(
        'conflict',
        'We sent five of these emails in the last hour. Check your inbox and spam folder, or try again later.',
      );
    }
  });
}
