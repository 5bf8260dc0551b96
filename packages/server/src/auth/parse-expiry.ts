import { invalidRequest } from '../http/index.ts';

/** The last instant that can be formatted: later years have more digits. */
export const LATEST_EXPIRY_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The requested expiry, or null for none. The schema accepts a few times that have no instant here: leap seconds, zones
 * by name (RFC 9557), and times that a zone offset moves past the year 9999. Throws `invalid_request` for those.
 */
export function parseExpiry(text: string | null): Date | null {
  const expiresAtMs = text === null ? null : Date.parse(text);
  if (Number.isNaN(expiresAtMs) || (expiresAtMs !== null && expiresAtMs > LATEST_EXPIRY_MS)) {
    throw invalidRequest(
      'expires_at',
      'format',
      'expires_at must be an ISO 8601 time, for example 2027-01-31T12:00:00Z.',
    );
  }
  return expiresAtMs === null ? null : new Date(expiresAtMs);
}
