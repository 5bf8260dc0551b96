import { ConnectionError, type SeatholdError } from './errors.ts';

/** The conditions for retrying a request. */
export interface Repeatability {
  method: string;
  /** Whether the service recognizes a repetition: the request has an Idempotency-Key that it supports. */
  hasKey: boolean;
}

/** A longer Retry-After is not waited for, because the caller knows better whether to wait. */
const MAX_RETRY_AFTER_SECONDS = 30;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/**
 * Milliseconds until the next attempt; undefined if there should be none. `attempt` counts from 0, `random` is at least
 * 0 and less than 1. A Retry-After is respected; otherwise, the delay grows, with full jitter.
 */
export function retryDelayMs(
  error: SeatholdError,
  request: Repeatability,
  attempt: number,
  random: number,
): number | undefined {
  if (!mayRepeat(error, request)) {
    return undefined;
  }
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === undefined) {
    return random * Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  }
  // Never early, and not all clients at the same moment.
  return retryAfterSeconds <= MAX_RETRY_AFTER_SECONDS ? retryAfterSeconds * 1000 + random * FIRST_DELAY_MS : undefined;
}

/** Whether a retry can help, and cannot have more effect than one attempt. */
function mayRepeat(error: SeatholdError, { method, hasKey }: Repeatability): boolean {
  const { status, code } = error;
  // These errors mean that nothing was done.
  if (status === 429 || status === 503 || code === 'idempotency_in_progress') {
    return true;
  }
  if (error instanceof ConnectionError) {
    return !error.wasSent || hasKey || IDEMPOTENT.has(method);
  }
  return status !== undefined && status >= 500 && (hasKey || method === 'GET');
}

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);
