import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError } from '../../http/index.ts';
import { hashToken } from '../../security/index.ts';
import { lockUserForLogin, updateFailedLogins, updateFailedLoginsToZero } from '../../users/index.ts';
import { invalidCredentials } from '../errors.ts';
import {
  findClosedChallenge,
  lockUnspentChallenge,
  updateChallengeAttempts,
  updateChallengeSpent,
} from '../two-factor/challenge-queries.ts';
import { resolveCode, spendCode } from '../two-factor/spend-code.ts';
import { notifyOfRecoveryCode } from '../two-factor/two-factor-mails.ts';
import type { LoginContext, OnLogin } from './authentication.ts';
import type { LoginTools } from './login-tools.ts';

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
  const attempted = await updateChallengeAttempts(database, { tokenHash: challenge });
  if (attempted === undefined) {
    throw await whyClosed(database, challenge);
  }
  const attempt = { challenge, userId: attempted.user_id, code: answer.code };
  // A refusal is a return value here, not an exception: a wrong code must be counted before the next one is checked.
  const outcome = await database.transaction((tx) => checkCode(tx, tools, attempt, onSuccess));
  switch (outcome.kind) {
    case 'done':
      tools.throttle.forget(outcome.email);
      return outcome.result;
    case 'closed':
      throw challengeClosed();
    case 'refused':
      throw invalidCredentials();
  }
}

interface Attempt {
  challenge: Buffer;
  userId: string;
  code: string;
}

type Outcome<T> = { kind: 'done'; email: string; result: T } | { kind: 'closed' } | { kind: 'refused' };

/**
 * Checks a code while the user's row is locked: the codes for one account are checked one after the other, regardless
 * of challenge and process. As in every change of an account, that row is locked before any other.
 */
async function checkCode<T>(
  tx: Queries,
  tools: LoginTools,
  { challenge, userId, code }: Attempt,
  onSuccess: OnLogin<T>,
): Promise<Outcome<T>> {
  const user = await lockUserForLogin(tx, { userId });
  if (user === undefined || user.is_locked) {
    return { kind: 'refused' };
  }
  if ((await lockUnspentChallenge(tx, { tokenHash: challenge })) === 0) {
    return { kind: 'closed' };
  }
  // A wrong code is handled like one that was used before: both are detected when they are spent.
  const proof = await resolveCode(tx, tools, userId, code);
  if (!(await spendCode(tx, userId, proof))) {
    await updateFailedLogins(tx, { email: user.email });
    return { kind: 'refused' };
  }
  if ((await updateChallengeSpent(tx, { tokenHash: challenge })) === 0) {
    throw challengeClosed();
  }
  await updateFailedLoginsToZero(tx, { userId });
  if (proof.method === 'recovery_code') {
    await notifyOfRecoveryCode(tx, tools, user);
  }
  return { kind: 'done', email: user.email, result: await onSuccess(tx, user, proof.method) };
}

async function whyClosed(database: Queries, challenge: Buffer): Promise<ApiError> {
  const closed = await findClosedChallenge(database, { tokenHash: challenge });
  return closed === undefined || closed.is_spent || !closed.is_expired
    ? challengeClosed()
    : httpError('token_expired', 'The challenge has expired. Log in again.', {
        details: { expired_at: closed.expires_at.toISOString() },
      });
}

function challengeClosed(): ApiError {
  return httpError(
    'invalid_token',
    'The challenge is invalid: it was already used, or has no attempts left. Log in again.',
  );
}
