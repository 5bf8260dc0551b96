/** The recent performance of an endpoint, which decides how much it may have in flight and on which lane. */
export interface Health {
  /** Attempts that may be in flight at the same time, over all processes. */
  inFlightLimit: number;
  /** Consecutive successes in under two seconds, up to the number that counts. */
  fastInRow: number;
  /** New, failing or slow: its attempts use the slow lane. */
  isSlow: boolean;
  failuresInRow: number;
  failingSince: Date | null;
  /** The last attempt got no response, so the next one has to dial again; such attempts begin one after the other. */
  isSilent: boolean;
}

/** One attempt that ended, by the organization's own clock. */
export interface Outcome {
  succeeded: boolean;
  /** Whether there was any response. */
  wasAnswered: boolean;
  durationMs: number;
  endedAt: Date;
  /** False for manual attempts, whose failures do not count towards disabling. */
  isOfSchedule: boolean;
}

/**
 * The health after one more attempt. The limit of attempts in flight grows with fast responses and drops after a
 * failure, but always lets a few attempts due at the same time begin on time. If many wait or hang, lanes allow less.
 */
export function healthAfter(before: Health, outcome: Outcome): Health {
  const isFast = outcome.succeeded && outcome.durationMs < SLOW_MS;
  const fastInRow = isFast ? Math.min(before.fastInRow + 1, FAST_AFTER) : 0;
  if (outcome.succeeded) {
    return {
      inFlightLimit: isFast ? Math.min(before.inFlightLimit * 2, MAX_IN_FLIGHT) : MIN_IN_FLIGHT,
      fastInRow,
      isSlow: fastInRow < FAST_AFTER && (before.isSlow || !isFast),
      failuresInRow: 0,
      failingSince: null,
      isSilent: false,
    };
  }
  const failuresInRow = before.failuresInRow + (outcome.isOfSchedule ? 1 : 0);
  return {
    inFlightLimit: MIN_IN_FLIGHT,
    fastInRow,
    isSlow: before.isSlow || failuresInRow >= FAILING_AFTER || outcome.durationMs >= SLOW_MS,
    failuresInRow,
    failingSince: outcome.isOfSchedule ? (before.failingSince ?? outcome.endedAt) : before.failingSince,
    isSilent: !outcome.wasAnswered,
  };
}

/** Whether an endpoint has had only failures for five days, and at least 20 of them (contract §9). */
export function mustBeDisabled({ failuresInRow, failingSince }: Health, now: Date): boolean {
  return (
    failingSince !== null &&
    failuresInRow >= MIN_FAILURES &&
    now.getTime() - failingSince.getTime() >= DAYS_OF_FAILURE * DAY_MS
  );
}

/** An endpoint without a history yet. */
export const NEW_ENDPOINT: Health = {
  inFlightLimit: 10,
  fastInRow: 0,
  isSlow: true,
  failuresInRow: 0,
  failingSince: null,
  isSilent: false,
};

/** An endpoint with this many failures in a row is considered down until it succeeds. */
export const FAILING_AFTER = 3;

/** The reason shown to the customer. */
export const DISABLED_REASON = 'All attempts failed for 5 days, with at least 20 attempts.';

const SLOW_MS = 2_000;
const MAX_IN_FLIGHT = 64;
const MIN_IN_FLIGHT = 10;
/** After this many fast responses in a row, a formerly hanging endpoint is trusted again. */
const FAST_AFTER = 5;
const MIN_FAILURES = 20;
const DAYS_OF_FAILURE = 5;
const DAY_MS = 86_400_000;
