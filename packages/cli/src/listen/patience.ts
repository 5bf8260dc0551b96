import { setTimeout as sleep } from 'node:timers/promises';
import { SeatholdError } from '@seathold/client';

/** Waits out temporary failures, and reports them. */
export interface Patience {
  signal: AbortSignal;
  /** Called once when a problem begins, and with undefined when it ends. */
  onTrouble(error: SeatholdError | undefined): void;
}

/**
 * Makes a call until it succeeds: rate limits, server errors and lost connections are retried indefinitely. Rejects
 * with any other failure, and with the signal's reason.
 */
export async function withPatience<Result>(patience: Patience, call: () => PromiseLike<Result>): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      const result = await call();
      if (failures > 0) {
        patience.onTrouble(undefined);
      }
      return result;
    } catch (error) {
      patience.signal.throwIfAborted();
      if (!(error instanceof SeatholdError) || !passesByItself(error)) {
        throw error;
      }
      if (failures === 0) {
        patience.onTrouble(error);
      }
      const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** failures, MAX_WAIT_MS);
      const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
      // One day, in case a proxy sends something odd; timers are limited to 24.8 days.
      await sleep(Math.min(Math.max(backOffMs, askedMs), DAY_MS), undefined, { signal: patience.signal });
    }
  }
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
const DAY_MS = 86_400_000;

function passesByItself({ code, status }: SeatholdError): boolean {
  return (
    code === 'connection_failed' || code === 'timed_out' || status === 429 || (status !== undefined && status >= 500)
  );
}
