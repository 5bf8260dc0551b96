import { ApiError } from '../../../http/index.ts';

/** What a person is told beside a form that logs in. */
export const LOGIN_ALERTS = {
  wrongPassword: 'The e-mail address or the password is wrong, or the account is locked for some minutes.',
  wrongCode: 'That code is not right.',
  challengeOver: 'That took too long, or too many codes were wrong. Log in again.',
} as const;

/** Whether an address, a password or a code was refused. */
export function isLoginRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_credentials';
}

/** Whether the challenge that a code answered is open no more. */
export function isChallengeOver(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'invalid_token' || error.code === 'token_expired');
}
