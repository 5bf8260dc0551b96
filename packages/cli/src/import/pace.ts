import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, RateLimitError, ServerError } from '@seathold/client';

/**
 * The pace of an import: if the service says when to retry, the whole import waits. Requests must be safe to repeat.
 */
export class Pace {
  readonly #wait: (milliseconds: number) => Promise<unknown>;
  #until = 0;

  /** `wait` is for tests. */
  constructor(wait: (milliseconds: number) => Promise<unknown> = sleep) {
    this.#wait = wait;
  }

  /** Sends a request until it is answered. Rejects with errors that are not temporary. */
  async send<Answer>(request: () => PromiseLike<Answer>): Promise<Answer> {
    for (let failures = 0; ; failures += 1) {
      const left = this.#until - performance.now();
      if (left > 0) {
        await this.#wait(left);
      }
      try {
        return await request();
      } catch (error) {
        const pause = pauseAfter(error, failures);
        if (pause === undefined) {
          throw error;
        }
        this.#until = Math.max(this.#until, performance.now() + pause);
      }
    }
  }
}

/** Milliseconds until the request may be sent again; undefined if it may not. Waits for a restarting service. */
function pauseAfter(error: unknown, failures: number): number | undefined {
  if (error instanceof RateLimitError) {
    return (error.retryAfterSeconds ?? 1) * 1_000;
  }
  if (!(error instanceof ConnectionError || error instanceof ServerError) || failures >= MOST_FAILURES) {
    return undefined;
  }
  return Math.max((error.retryAfterSeconds ?? 0) * 1_000, Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS));
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** About a minute. */
const MOST_FAILURES = 8;
