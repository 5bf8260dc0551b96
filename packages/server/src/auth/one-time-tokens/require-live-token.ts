import { type ApiError, httpError } from '../../http/index.ts';
import type { OneTimeTokenRow } from './queries.ts';

/** Throws `invalid_token` for a secret that is unknown or spent, and `token_expired` for an expired one. */
export function requireLiveToken<Row extends Omit<OneTimeTokenRow, 'user_id'>>(
  row: Row | undefined,
): asserts row is Row {
  if (row === undefined || row.is_spent) {
    throw invalidToken();
  }
  if (row.is_expired) {
    throw httpError('token_expired', 'The code has expired. Request a new one.', {
      details: { expired_at: row.expires_at.toISOString() },
    });
  }
}

export function invalidToken(): ApiError {
  return httpError('invalid_token', 'The code is invalid or was already used. Request a new one.');
}
