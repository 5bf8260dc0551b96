import { httpError, invalidRequest } from '../../http/index.ts';
import type { ProfileInput } from './schemas.ts';

/** A wish to change the password, complete. */
export interface PasswordWish {
  password: string;
  currentPassword: string;
}

/** Checks what the schema cannot say. Throws `invalid_request` or `validation_failed`. */
export function checkProfileInput(input: ProfileInput): { passwordWish: PasswordWish | undefined } {
  if (typeof input.avatar_url === 'string') {
    requirePublicUrl(input.avatar_url);
  }
  return { passwordWish: readPasswordWish(input) };
}

/** The two belong together: whoever only finds a logged-in screen must not be able to take the account over. */
function readPasswordWish({ password, current_password: currentPassword }: ProfileInput): PasswordWish | undefined {
  if (password === undefined && currentPassword === undefined) {
    return undefined;
  }
  if (currentPassword === undefined) {
    throw invalidRequest('current_password', 'required', 'current_password is required to change the password.');
  }
  if (password === undefined) {
    throw invalidRequest('password', 'required', 'password, the new one, is required beside current_password.');
  }
  // One way of writing each character, as passwords are hashed.
  if (password.normalize('NFKC') === currentPassword.normalize('NFKC')) {
    throw httpError('validation_failed', 'The new password must not be the present one.', {
      details: { field: 'password', reason: 'unchanged' },
    });
  }
  return { password, currentPassword };
}

/** Everybody who sees the member is sent to this address, so it must not carry a name and password. */
function requirePublicUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw invalidRequest('avatar_url', 'format', 'avatar_url must be an https address without a user name.');
  }
}
