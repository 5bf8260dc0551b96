import { httpError, invalidRequest } from '../../http/index.ts';
import type { ProfileInput } from './schemas.ts';

/** A wish to change the password, complete. */
export interface PasswordChange {
  password: string;
  currentPassword: string;
}

/** Checks what the schema cannot say. Throws `invalid_request` or `validation_failed`. */
export function checkProfileInput(input: ProfileInput): { passwordChange: PasswordChange | undefined } {
  if (typeof input.avatar_url === 'string') {
    requirePublicUrl(input.avatar_url);
  }
  return { passwordChange: parsePasswordChange(input) };
}

/** The two belong together: a person who finds a logged-in screen must not be able to take over the account. */
function parsePasswordChange({
  password,
  current_password: currentPassword,
}: ProfileInput): PasswordChange | undefined {
  if (password === undefined && currentPassword === undefined) {
    return undefined;
  }
  if (currentPassword === undefined) {
    throw invalidRequest('current_password', 'required', 'current_password is required to change the password.');
  }
  if (password === undefined) {
    throw invalidRequest('password', 'required', 'password is required when current_password is sent.');
  }
  // One way of writing each character, as passwords are hashed.
  if (password.normalize('NFKC') === currentPassword.normalize('NFKC')) {
    throw httpError('validation_failed', 'The new password must differ from the current one.', {
      details: { field: 'password', reason: 'unchanged' },
    });
  }
  return { password, currentPassword };
}

/** Everyone who sees the member is sent to this address, so it must not carry a name and password. */
function requirePublicUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw invalidRequest('avatar_url', 'format', 'avatar_url must be an https URL without a user name.');
  }
}
