import type { RequestContext } from '../../http/index.ts';
import { hashToken } from '../../security/index.ts';
import { findUserById, updateEmailVerified } from '../../users/index.ts';
import { findOneTimeToken, updateOneTimeTokenSpent } from '../one-time-tokens/queries.ts';
import { requireLiveToken } from '../one-time-tokens/require-live-token.ts';
import { ownerWithoutToken, recordAccountAudit } from '../record-account-audit.ts';

/** The parts of an API request or form submission that verification needs. */
export type VerificationContext = Pick<RequestContext, 'database' | 'requestId' | 'clientAddress'>;

/** Verifies the address that a token was mailed to. Throws `invalid_token` or `token_expired`. */
export async function verifyEmail(context: VerificationContext, token: string): Promise<void> {
  const hash = hashToken(token);
  await context.database.transaction(async (tx) => {
    const spent = await updateOneTimeTokenSpent(tx, { purpose: 'verify_email', hash });
    const found = await findOneTimeToken(tx, { purpose: 'verify_email', hash });
    if (spent === 0 || found === undefined) {
      requireLiveToken(found);
      throw new Error('a valid token could not be spent');
    }
    if ((await updateEmailVerified(tx, { userId: found.user_id })) > 0) {
      const user = await findUserById(tx, { userId: found.user_id });
      await recordAccountAudit(tx, found.user_id, ownerWithoutToken(context, found.user_id), {
        action: 'email.verified',
        targetType: 'user',
        targetId: found.user_id,
        after: { email: user?.email },
      });
    }
  });
}
