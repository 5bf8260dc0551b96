import type { Queries } from '../../database/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import type { UserSummary } from '../../users/index.ts';
import { insertOneTimeTokens } from '../one-time-tokens/queries.ts';
import type { AccountTools } from './account-tools.ts';

/** The dependencies of sending: the mail queue, and the address of the dashboard, where the code is entered. */
export type VerificationTools = Pick<AccountTools, 'mailer' | 'baseUrl'>;

/**
 * Mails a user the token that verifies their address, valid for 7 days. Returns false, and sends nothing, if they were
 * sent five within the hour. Runs in the caller's transaction, which wrote the user or holds the lock on their row.
 */
export async function sendVerification(tx: Queries, tools: VerificationTools, user: UserSummary): Promise<boolean> {
  const token = newToken(TOKEN_PREFIXES.emailVerification);
  const inserted = await insertOneTimeTokens(tx, {
    purpose: 'verify_email',
    tokens: [{ token_hash: hashToken(token), user_id: user.id }],
    ...VERIFICATION_LIMITS,
  });
  if (inserted.length === 0) {
    return false;
  }
  // Without the user's name, as in all mails to an unverified address: a stranger may have chosen both.
  await tools.mailer.queue(tx, {
    kind: 'verify-email',
    recipient: user.email,
    content: {
      subject: 'Verify your email address',
      paragraphs: ['Hello,', 'Please verify your email address. The link is valid for seven days.'],
      code: token,
      codeNote: 'Or enter this code on the verification page:',
      // A fragment reaches no server and no log. The page does not spend the code by itself for strangers: mail
      // scanners follow links, and would verify addresses without their owners' knowledge.
      link: { label: 'Verify email address', url: `${tools.baseUrl}/verify-email#code=${token}` },
      closing: 'If you did not create an account, you can ignore this email.',
    },
  });
  return true;
}

const VERIFICATION_LIMITS = { ttlSeconds: 7 * 86_400, atMost: 5 };
