export { type Timed, TimerQueue } from './timer-queue.ts';

/** What tells the time of this process. Comparisons that several processes must agree on use the database's clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number;
}

/** The wall clock of this machine. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Waits. Handed in where a use case waits on purpose, so that its tests do not. */
export type Pause = (milliseconds: number) => Promise<void>;

/** Waits by a timer. */
export const systemPause: Pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks at most once in a while, however often the answer is wanted. */
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

/** ISO 8601 in UTC with milliseconds and `Z`, the only form in which times leave the service. */
export function isoTime(epochMs: number): string {
  if (epochMs !== latestMs) {
    latestMs = epochMs;
    latestText = new Date(epochMs).toISOString();
  }
  return latestText;
}

// Under load many answers are given in one millisecond, and formatting costs more than anything else in an envelope.
let latestMs = Number.NaN;
let latestText = '';
