export { type Timed, TimerQueue } from './timer-queue.ts';

/** The clock of this process. Comparisons that several processes must agree on use the database's clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number;
}

/** The wall clock of this machine. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Waits. Injected into use cases that wait on purpose, so that their tests do not. */
export type Pause = (milliseconds: number) => Promise<void>;

/** Waits by a timer. */
export const systemPause: Pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Caches an answer for a time, so that it is requested at most once in each interval. */
export function rememberFor<T>(milliseconds: number, clock: Clock, ask: () => Promise<T>): () => Promise<T> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined || clock.nowMs() - askedAtMs >= milliseconds) {
      askedAtMs = clock.nowMs();
      answer = ask();
    }
    return answer;
  };
}

/** ISO 8601 in UTC with milliseconds and `Z`, the only format in which the service returns times. */
export function isoTime(epochMs: number): string {
  if (epochMs !== latestMs) {
    latestMs = epochMs;
    latestText = new Date(epochMs).toISOString();
  }
  return latestText;
}

// Under load, many responses are sent per millisecond, and formatting is the most expensive part of an envelope.
let latestMs = Number.NaN;
let latestText = '';
