import type { Queries } from '../../database/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { type AccountRow, lockUsersByEmail } from '../../users/index.ts';
import { insertOneTimeTokens } from '../one-time-tokens/queries.ts';
import type { AccountTools } from './account-tools.ts';
import { takeResetRequests } from './reset-request-queries.ts';

/** What answering needs: the outbox of mails, and where the page is that takes the code. */
export type ResetTools = Pick<AccountTools, 'mailer' | 'authUrl'>;

/**
 * Mails a reset token to those of a portion of requests who have an account, and were not sent five within the hour;
 * returns whether there may be more. A request goes in the transaction that queues its mail: none is lost or answered twice.
 */
export async function answerResetRequests(database: Queries, tools: ResetTools): Promise<boolean> {
  return database.transaction(async (tx) => {
    const emails = await takeResetRequests(tx, PORTION);
    if (emails.length > 0) {
      // Locked, so that of two processes with requests for one user the second counts what the first has sent.
      await sendResets(tx, tools, await lockUsersByEmail(tx, { emails: [...new Set(emails)] }));
    }
    return emails.length === PORTION;
  });
}

async function sendResets(tx: Queries, tools: ResetTools, accounts: readonly AccountRow[]): Promise<void> {
  const resets = accounts.map((account) => {
    const token = newToken(TOKEN_PREFIXES.passwordReset);
    return { account, token, hash: hashToken(token), userId: account.id };
  });
  const written = new Set(await insertOneTimeTokens(tx, 'reset_password', resets, RESET_LIMITS));
  for (const { account, token } of resets) {
    if (written.has(account.id)) {
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
        'We received a request to reset the password of your account. To set a new password, use this code. It is valid for one hour and works once.',
      ],
      code: token,
      link: { label: 'Set a new password', url: `${tools.authUrl}/reset-password` },
      closing: 'If you did not request this, you can ignore this email. Your password will not change.',
    },
  });
}

/** Small, since logins of the users in it wait meanwhile. */
const PORTION = 50;
const RESET_LIMITS = { ttlSeconds: 3600, atMost: 5 };
