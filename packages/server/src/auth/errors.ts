import { ApiError, type ErrorDefinition } from '../http/index.ts';

/** The error codes of this room (contract §3). */
export const AUTH_ERRORS = {
  invalid_credentials: {
    status: 401,
    when: 'The email address, password, or code is incorrect, or the account is locked.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/**
 * The same response to an unknown address, a wrong password or code, and a locked account, so that they cannot be
 * distinguished.
 */
export function invalidCredentials(): ApiError {
  return new ApiError(
    'invalid_credentials',
    AUTH_ERRORS.invalid_credentials,
    'The email address, password, or code is incorrect.',
  );
}
