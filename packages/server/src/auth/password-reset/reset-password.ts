import { recordAudit, strangerOf } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import type { RequestContext } from '../../http/index.ts';
import { findFirstMembership } from '../../organizations/index.ts';
import { hashToken } from '../../security/index.ts';
import { resetPassword as writePassword } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { endAccessOfUser } from '../end-access-of-user.ts';
import { requireLiveToken } from '../one-time-tokens/judge-one-time-token.ts';
import { findOneTimeToken, type OneTimeTokenRow, spendOneTimeToken } from '../one-time-tokens/queries.ts';
import { requireSoundPassword } from '../passwords/require-sound-password.ts';
import type { ResetInput } from './schemas.ts';

/** What a reset reads of a request, be it of the API or of a form. */
export type ResetContext = Pick<RequestContext, 'database' | 'requestId' | 'clientAddress'>;

/**
 * Sets a new password for whoever was mailed the token, and ends all that was opened with the old one; the lock of the
 * account is lifted and its address verified. Throws `invalid_token` or `token_expired`, and `validation_failed` for a
 * password that is no secret, which leaves the token as it was.
 */
export async function resetPassword(
  context: ResetContext,
  tools: Pick<LoginTools, 'passwords' | 'mailer'>,
  { token, password }: ResetInput,
): Promise<void> {
  const hash = hashToken(token);
  const found = await findOneTimeToken(context.database, 'reset_password', hash);
  requireLiveToken(found);
  requireSoundPassword(password, found);
  const passwordHash = await tools.passwords.hash(password);
  await context.database.transaction(async (tx) => {
    // The user's row first, as whoever changes a password takes it: then all who reset one wait here, in one queue.
    await writePassword(tx, found.user_id, passwordHash);
    await spend(tx, hash);
    await endAccessOfUser(tx, found.user_id);
    await recordReset(tx, context, found.user_id);
    await queueMail(tx, tools.mailer, found);
  });
}

/** However many come with one token, one spends it; what the others have written is rolled back. */
async function spend(tx: Queries, hash: Buffer): Promise<void> {
  if (!(await spendOneTimeToken(tx, 'reset_password', hash))) {
    const spent = await findOneTimeToken(tx, 'reset_password', hash);
    requireLiveToken(spent);
    throw new Error('a token that lives could not be spent');
  }
}

/** An account that is a member of no organization has no log to write to. */
async function recordReset(tx: Queries, context: ResetContext, userId: string): Promise<void> {
  const membership = await findFirstMembership(tx, userId);
  if (membership !== undefined) {
    const actor = strangerOf(context, membership.organization_id, userId);
    await recordAudit(tx, actor, { action: 'password.reset', targetType: 'user', targetId: userId });
  }
}

function queueMail(tx: Queries, mailer: LoginTools['mailer'], owner: OneTimeTokenRow): Promise<void> {
  return mailer.queue(tx, {
    kind: 'password-reset',
    recipient: owner.email,
    content: {
      subject: 'Your password was set anew',
      paragraphs: [
        'Hello,',
        'a new password was set for your account with a code that was mailed to you. All logins and all connected apps were ended; API tokens go on.',
        'If it was not you, somebody else reads your mails: secure your mailbox first, then set another password.',
      ],
    },
  });
}
