import type { Queries } from '../../database/index.ts';
import type { RequestContext } from '../../http/index.ts';
import { hashToken } from '../../security/index.ts';
import { lockUserById, resetPassword as writePassword } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { endAccessOfUser } from '../end-access-of-user.ts';
import { requireLiveToken } from '../one-time-tokens/judge-one-time-token.ts';
import { findOneTimeToken, type OneTimeTokenRow, spendOneTimeToken } from '../one-time-tokens/queries.ts';
import { requireSoundPassword } from '../passwords/require-sound-password.ts';
import { type AccountActor, ownerWithoutToken, recordAccountAudit } from '../record-account-audit.ts';
import { endUnprovenAccess, lockUnprovenApps } from './end-unproven-access.ts';
import type { ResetInput } from './schemas.ts';

/** What a reset reads of a request, be it of the API or of a form. */
export type ResetContext = Pick<RequestContext, 'database' | 'requestId' | 'clientAddress'>;

/**
 * Sets a new password for whoever was mailed the token, and ends all that was opened with the old one; the lock of the
 * account is lifted and its address verified. Where nobody had verified it before, whatever else could open the account ends
 * as well: a stranger may have registered with it. Throws `invalid_token` or `token_expired`, and `validation_failed` for a
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
    const wasVerified = (await lockUserById(tx, found.user_id))?.is_verified === true;
    await writePassword(tx, found.user_id, passwordHash);
    await spend(tx, hash);
    const apps = wasVerified ? [] : await lockUnprovenApps(tx, found.user_id);
    await endAccessOfUser(tx, found.user_id);
    const actor = ownerWithoutToken(context, found.user_id);
    await recordReset(tx, actor, found.user_id);
    if (!wasVerified) {
      await endUnprovenAccess(tx, actor, found.user_id, apps);
    }
    await queueMail(tx, tools.mailer, found, wasVerified);
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

async function recordReset(tx: Queries, actor: AccountActor, userId: string): Promise<void> {
  await recordAccountAudit(tx, userId, actor, { action: 'password.reset', targetType: 'user', targetId: userId });
}

async function queueMail(
  tx: Queries,
  mailer: LoginTools['mailer'],
  owner: OneTimeTokenRow,
  wasVerified: boolean,
): Promise<void> {
  await mailer.queue(tx, {
    kind: 'password-reset',
    recipient: owner.email,
    content: {
      subject: 'Your password was set anew',
      paragraphs: ['Hello,', ...(wasVerified ? RESET : CLAIMED), NOT_YOU],
    },
  });
}

const RESET = [
  'a new password was set for your account with a code that was mailed to you. All logins and all connected apps were ended; API tokens go on.',
];

const CLAIMED = [
  'a new password was set for your account with a code that was mailed to you. All logins and all connected apps were ended.',
  'Nobody had verified this e-mail address before, so somebody else may have registered with it. Therefore all API tokens of the account were revoked, and all apps that it had registered were deleted. Two-factor authentication stays as it was: if you did not turn it on yourself, ask whoever runs this service to take it away. Look through the members and invitations of your organization, too.',
];

const NOT_YOU =
  'If it was not you, somebody else reads your mails: secure your mailbox first, then set another password.';
