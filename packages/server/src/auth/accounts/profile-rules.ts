import { httpError, invalidRequest } from '../../http/index.ts';
import type { ProfileInput } from './schemas.ts';

/** A complete request to change the password. */
export interface PasswordChange {
  password: string;
  currentPassword: string;
}

/** Checks what the schema cannot express. Throws `invalid_request` or `validation_failed`. */
export function checkProfileInput(input: ProfileInput): { passwordChange: PasswordChange | undefined } {
  if (typeof input.avatar_url === 'string') {
    requirePublicUrl(input.avatar_url);
  }
  return { passwordChange: parsePasswordChange(input) };
}

/** Both are required: someone who finds an unlocked screen must not be able to take over the account. */
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
  // Normalized in the same way as when passwords are hashed.
  if (password.normalize('NFKC') === currentPassword.normalize('NFKC')) {
    throw httpError('validation_failed', 'The new password must differ from the current one.', {
      details: { field: 'password', reason: 'unchanged' },
    });
  }
  return { password, currentPassword };
}

/** Everyone who sees the member loads this URL, so it must not contain a name and password. */
function requirePublicUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw invalidRequest('avatar_url', 'format', 'avatar_url must be an https URL without a user name.');
  }
}
