import { ApiError } from '../../http/index.ts';

/** Messages next to a login form. */
export const LOGIN_ALERTS = {
  wrongPassword: 'The email address or password is incorrect, or the account is temporarily locked.',
  wrongCode: 'The code is incorrect.',
  challengeOver: 'The login timed out, or there were too many incorrect codes. Log in again.',
} as const;

/** Whether an address, a password or a code was refused. */
export function isLoginRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_credentials';
}

/** Whether the challenge that a code answered has ended. */
export function isChallengeOver(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'invalid_token' || error.code === 'token_expired');
}
