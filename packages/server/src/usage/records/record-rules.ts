import { httpError, invalidRequest } from '../../http/index.ts';

/** How old a record may be: longer than any period, so that a late record still counts in its period. */
const MAX_AGE_DAYS = 35;
/** How far the reporter's clock may run ahead. */
const MAX_AHEAD_MINUTES = 5;

/**
 * A value as a PostgreSQL numeric with exactly the digits sent. JSON numbers are parsed as doubles, and a decimal of at
 * most fifteen digits is the shortest text of its double; one with more digits may have been changed by parsing and is
 * refused.
 */
export function decimalOf(value: number): string {
  const text = String(value);
  const isPlain = PLAIN.test(text);
  const digits = text.replace('.', '').replace(/^0+/, '').length;
  // The shortest text of a number below 0.000001 has an exponent.
  if (!isPlain || digits > MAX_DIGITS) {
    throw invalidRequest('value', 'format', 'value must have at most 6 decimals and at most 15 digits in total.');
  }
  return text;
}

const PLAIN = /^\d+(?:\.\d{1,6})?$/;
const MAX_DIGITS = 15;

/**
 * The instant of `at`, in milliseconds since 1970. The schema accepts a few times that have none here: leap seconds and named
 * zones (RFC 9557). Throws `invalid_request` for those.
 */
export function instantOf(at: string): number {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) {
    throw invalidRequest('at', 'format', 'at must be a time such as 2027-01-31T12:00:00Z.');
  }
  return atMs;
}

/** Throws `validation_failed` if the time is too far in the past or future of the organization's clock. */
export function requireTimely(atMs: number, nowMs: number): void {
  if (atMs > nowMs + MAX_AHEAD_MINUTES * 60_000) {
    throw refuse('future', `at must be at most ${MAX_AHEAD_MINUTES} minutes ahead of the organization's clock.`);
  }
  if (atMs < nowMs - MAX_AGE_DAYS * 86_400_000) {
    throw refuse('past', `at must be at most ${MAX_AGE_DAYS} days behind the organization's clock.`);
  }
}

function refuse(reason: string, message: string) {
  return httpError('validation_failed', message, { details: { field: 'at', reason } });
}
