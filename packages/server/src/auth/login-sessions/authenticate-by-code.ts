import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError } from '../../http/index.ts';
import { hashToken } from '../../security/index.ts';
import { findUserForLogin, lockUserForLogin, recordLogin, type UserForLogin } from '../../users/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { invalidCredentials } from '../errors.ts';
import { findClosedChallenge, spendChallenge, takeAttempt } from '../two-factor/challenge-queries.ts';
import { countingRefusal } from '../two-factor/counting-refusal.ts';
import { proofOf, spendProof } from '../two-factor/spend-proof.ts';
import { tellOfRecoveryCode } from '../two-factor/two-factor-mails.ts';
import type { LoginContext, OnLogin } from './authentication.ts';

/**
 * Answers a challenge with a code and records the login. Throws `invalid_token` for a challenge that is unknown, spent or has
 * no attempt left, `token_expired`, and `invalid_credentials` for a wrong code, one used before, and a locked account.
 */
export async function authenticateByCode<T>(
  { database }: LoginContext,
  tools: LoginTools,
  answer: { challengeToken: string; code: string },
  onSuccess: OnLogin<T>,
): Promise<T> {
  const challenge = hashToken(answer.challengeToken);
  const userId = await takeAttempt(database, challenge);
  const user = userId === undefined ? undefined : await findUserForLogin(database, userId);
  if (user === undefined) {
    throw await whyClosed(database, challenge);
  }
  // A wrong code goes the same way as one that was used before: both are found out when they are to be spent.
  const proof = await proofOf(database, tools, user.id, answer.code);
  const result = await countingRefusal(database, user.email, () =>
    database.transaction(async (tx) => {
      await recordCompleteLogin(tx, user);
      if (!(await spendChallenge(tx, challenge))) {
        throw challengeClosed();
      }
      if (!(await spendProof(tx, user.id, proof))) {
        throw invalidCredentials();
      }
      if (proof.method === 'recovery_code') {
        await tellOfRecoveryCode(tx, tools, user);
      }
      return onSuccess(tx, user, proof.method);
    }),
  );
  tools.pace.forget(user.email);
  return result;
}

/** Locks the user's row before any other, as everything does that changes an account. */
async function recordCompleteLogin(tx: Queries, { id }: UserForLogin): Promise<void> {
  const user = await lockUserForLogin(tx, id);
  if (user === undefined || user.is_locked) {
    throw invalidCredentials();
  }
  await recordLogin(tx, id);
}

async function whyClosed(database: Queries, challenge: Buffer): Promise<ApiError> {
  const closed = await findClosedChallenge(database, challenge);
  return closed === undefined || closed.is_spent || !closed.is_expired
    ? challengeClosed()
    : httpError('token_expired', 'The challenge has expired; log in again.', {
        details: { expired_at: closed.expires_at.toISOString() },
      });
}

function challengeClosed(): ApiError {
  return httpError('invalid_token', 'The challenge is unknown, was used, or has no attempt left; log in again.');
}
