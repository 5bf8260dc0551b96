import { ApiError, type ErrorDefinition } from '../http/index.ts';

/** The codes of this room's own (contract §3). */
export const AUTH_ERRORS = {
  invalid_credentials: {
    status: 401,
    when: 'The e-mail address, the password or the code is wrong, or the account is locked.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** One answer to an unknown address, a wrong password or code and a locked account: none of them is told from the others. */
export function invalidCredentials(): ApiError {
  return new ApiError(
    'invalid_credentials',
    AUTH_ERRORS.invalid_credentials,
    'The e-mail address, the password or the code is wrong.',
  );
}
