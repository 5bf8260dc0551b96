import { httpError, invalidRequest } from '../../http/index.ts';

/** How long ago a record may have been: longer than any period, so that whatever is late still meets the period it belongs to. */
const MAX_AGE_DAYS = 35;
/** How far the reporter's clock may run ahead. */
const MAX_AHEAD_MINUTES = 5;

/**
 * A value as PostgreSQL's numeric takes it, digit by digit as it was sent. JSON numbers are doubles here, and a decimal of at
 * most fifteen digits is the shortest text of its double; one with more may have been changed already and is refused.
 */
export function decimalOf(value: number): string {
  const text = String(value);
  const isPlain = PLAIN.test(text);
  const digits = text.replace('.', '').replace(/^0+/, '').length;
  // Of what is smaller than 0.000001 the shortest text has an exponent.
  if (!isPlain || digits > MAX_DIGITS) {
    throw invalidRequest('value', 'format', 'value must have at most 6 decimals and at most 15 digits in all.');
  }
  return text;
}

const PLAIN = /^\d+(?:\.\d{1,6})?$/;
const MAX_DIGITS = 15;

/**
 * The instant that `at` names, in milliseconds since 1970. The schema lets a few times pass that have none here: leap seconds
 * and zones by name (RFC 9557). Throws `invalid_request` for those.
 */
export function instantOf(at: string): number {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) {
    throw invalidRequest('at', 'format', 'at must be a time such as 2027-01-31T12:00:00Z.');
  }
  return atMs;
}

/** Throws `validation_failed` for a time that is too long ago or in the future of the organization's clock. */
export function requireTimely(atMs: number, nowMs: number): void {
  if (atMs > nowMs + MAX_AHEAD_MINUTES * 60_000) {
    throw refuse('future', `at may be at most ${MAX_AHEAD_MINUTES} minutes in the future of the organization's clock.`);
  }
  if (atMs < nowMs - MAX_AGE_DAYS * 86_400_000) {
    throw refuse('past', `at may be at most ${MAX_AGE_DAYS} days in the past of the organization's clock.`);
  }
}

function refuse(reason: string, message: string) {
  return httpError('validation_failed', message, { details: { field: 'at', reason } });
}
