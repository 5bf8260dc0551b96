import type { Queries } from '../../database/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { type AccountRow, lockUsersByEmail } from '../../users/index.ts';
import { insertOneTimeTokens } from '../one-time-tokens/queries.ts';
import type { AccountTools } from './account-tools.ts';
import { claimResetRequests } from './reset-request-queries.ts';

/** The dependencies of answering: the mail queue, and the address of the dashboard, where the code is entered. */
export type ResetTools = Pick<AccountTools, 'mailer' | 'baseUrl'>;

/**
 * Answers a portion of requests: mails a reset token to each account that was sent fewer than five within the hour.
 * Returns whether there may be more. A request is deleted in the transaction that queues its mail, so none is lost or
 * answered twice.
 */
export async function answerResetRequests(database: Queries, tools: ResetTools): Promise<boolean> {
  return database.transaction(async (tx) => {
    const requests = await claimResetRequests(tx, { limit: PORTION });
    if (requests.length > 0) {
      // Locked, so that if two processes have requests for one user, the second counts the mails of the first.
      const emails = [...new Set(requests.map((request) => request.email))];
      await sendResets(tx, tools, await lockUsersByEmail(tx, { emails }));
    }
    return requests.length === PORTION;
  });
}

async function sendResets(tx: Queries, tools: ResetTools, accounts: readonly AccountRow[]): Promise<void> {
  const resets = accounts.map((account) => ({ account, token: newToken(TOKEN_PREFIXES.passwordReset) }));
  const inserted = await insertOneTimeTokens(tx, {
    purpose: 'reset_password',
    tokens: resets.map(({ account, token }) => ({ token_hash: hashToken(token), user_id: account.id })),
    ...RESET_LIMITS,
  });
  const usersToMail = new Set(inserted.map((row) => row.user_id));
  for (const { account, token } of resets) {
    if (usersToMail.has(account.id)) {
      await queueResetMail(tx, tools, account, token);
    }
  }
}

async function queueResetMail(tx: Queries, tools: ResetTools, account: AccountRow, token: string): Promise<void> {
  await tools.mailer.queue(tx, {
    kind: 'reset-password',
    recipient: account.email,
    content: {
      subject: 'Set a new password',
      paragraphs: [
        'Hello,',
        'We received a request to reset the password for your account. The link is valid for one hour and can be used once.',
      ],
      code: token,
      codeNote: 'Or enter this code on the password reset page:',
      link: { label: 'Set a new password', url: `${tools.baseUrl}/reset-password#code=${token}` },
      closing: 'If you did not request this, you can ignore this email. Your password will not change.',
    },
  });
}

/** Small, because logins of its users wait in the meantime. */
const PORTION = 50;
const RESET_LIMITS = { ttlSeconds: 3600, atMost: 5 };
