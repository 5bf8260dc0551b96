import type { Queries } from '../../database/index.ts';
import type { RequestContext } from '../../http/index.ts';
import { hashToken } from '../../security/index.ts';
import { type AccountRow, findUserById, lockUserById, updateForgottenPassword } from '../../users/index.ts';
import { findOneTimeToken, updateOneTimeTokenSpent } from '../one-time-tokens/queries.ts';
import { invalidToken, requireLiveToken } from '../one-time-tokens/require-live-token.ts';
import { requireSoundPassword } from '../passwords/require-sound-password.ts';
import { type AccountActor, ownerWithoutToken, recordAccountAudit } from '../record-account-audit.ts';
import type { AccountTools } from './account-tools.ts';
import { endAccessOfUser } from './end-access-of-user.ts';
import { endUnverifiedAccess } from './end-unverified-access.ts';
import type { ResetInput } from './schemas.ts';

/** The parts of an API request or form submission that a reset needs. */
export type ResetContext = Pick<RequestContext, 'database' | 'requestId' | 'clientAddress'>;

/**
 * Sets a new password for the user who got the token by mail, and ends every login made with the old one; also unlocks
 * the account and verifies its address. If the address was not verified before, everything else that gives access to
 * the account ends as well: a stranger may have registered with it. Throws `invalid_token` or `token_expired`, and
 * `validation_failed` for a weak password, which leaves the token as it was.
 */
export async function resetPassword(
  context: ResetContext,
  tools: Pick<AccountTools, 'passwords' | 'mailer' | 'connectedApps'>,
  { token, password }: ResetInput,
): Promise<void> {
  const hash = hashToken(token);
  const found = await findOneTimeToken(context.database, { purpose: 'reset_password', hash });
  requireLiveToken(found);
  const user = await findUserById(context.database, { userId: found.user_id });
  if (user === undefined) {
    throw invalidToken();
  }
  requireSoundPassword(password, user);
  const passwordHash = await tools.passwords.hash(password);
  await context.database.transaction(async (tx) => {
    // The user's row first, as in every password change, so that all resets queue here.
    const wasVerified = (await lockUserById(tx, { userId: found.user_id }))?.is_verified === true;
    await updateForgottenPassword(tx, { userId: found.user_id, newHash: passwordHash });
    await spend(tx, hash);
    const apps = wasVerified ? [] : await tools.connectedApps.lockAppsOfCreator(tx, found.user_id);
    await endAccessOfUser(tx, tools, found.user_id);
    const actor = ownerWithoutToken(context, found.user_id);
    await recordReset(tx, actor, found.user_id);
    if (!wasVerified) {
      await endUnverifiedAccess(tx, actor, found.user_id, apps);
    }
    await queueMail(tx, tools.mailer, user, wasVerified);
  });
}

/** If several requests send the same token, one of them spends it; the others are rolled back. */
async function spend(tx: Queries, hash: Buffer): Promise<void> {
  if ((await updateOneTimeTokenSpent(tx, { purpose: 'reset_password', hash })) === 0) {
    const spent = await findOneTimeToken(tx, { purpose: 'reset_password', hash });
    requireLiveToken(spent);
    throw new Error('a valid token could not be spent');
  }
}

async function recordReset(tx: Queries, actor: AccountActor, userId: string): Promise<void> {
  await recordAccountAudit(tx, userId, actor, { action: 'password.reset', targetType: 'user', targetId: userId });
}

async function queueMail(
  tx: Queries,
  mailer: AccountTools['mailer'],
  owner: AccountRow,
  wasVerified: boolean,
): Promise<void> {
  await mailer.queue(tx, {
    kind: 'password-reset',
    recipient: owner.email,
    content: {
      subject: 'Your password was reset',
      paragraphs: ['Hello,', ...(wasVerified ? RESET : CLAIMED), NOT_YOU],
    },
  });
}

const RESET = [
  'The password for your account was reset with a code that we emailed to you. You have been logged out everywhere, and all connected apps were disconnected. Your API tokens keep working.',
];

const CLAIMED = [
  'The password for your account was reset with a code that we emailed to you. You have been logged out everywhere, and all connected apps were disconnected.',
  'This email address had not been verified before, so someone else may have registered with it. To protect you, we revoked all API tokens of the account and deleted all OAuth apps registered with it. Two-factor authentication is unchanged. If you did not turn it on yourself, contact support to have it turned off. Please also review the members and invitations of your organization.',
];

const NOT_YOU =
  'If this was not you, someone else can read your email. Secure your mailbox first, then set a new password.';
