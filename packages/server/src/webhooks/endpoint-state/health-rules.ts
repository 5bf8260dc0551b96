/** How an endpoint has done of late, which decides how much it may hold at once and on which lane. */
export interface Health {
  /** Attempts that may be under way at once, over all processes. */
  inFlightLimit: number;
  /** Successes in under two seconds since the last that was not, up to as many as count. */
  fastInRow: number;
  /** New, failing or slow: its attempts take the places of the cautious lane. */
  isSlow: boolean;
  failuresInRow: number;
  failingSince: Date | null;
  /** The last attempt got no answer at all, so the next one has to dial again: such attempts are begun one after the other. */
  isSilent: boolean;
}

/** One attempt that ended, by the organization's own clock. */
export interface Outcome {
  succeeded: boolean;
  /** Whether any answer came. */
  wasAnswered: boolean;
  durationMs: number;
  endedAt: Date;
  /** False for what a person tries by hand: its failures say nothing of the endpoint's days. */
  isOfSchedule: boolean;
}

/**
 * The health after one more attempt. What an endpoint may have under way grows with its swift answers and falls back with a
 * failure, never below what lets a few attempts that are due at one time begin at that time. Where many wait or hang, lanes
 * give less.
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

/** Whether an endpoint has had nothing but failures for five days, and at least 20 of them (contract §9). */
export function mustBeDisabled({ failuresInRow, failingSince }: Health, now: Date): boolean {
  return (
    failingSince !== null &&
    failuresInRow >= MIN_FAILURES &&
    now.getTime() - failingSince.getTime() >= DAYS_OF_FAILURE * DAY_MS
  );
}

/** An endpoint that nothing is known of yet. */
export const NEW_ENDPOINT: Health = {
  inFlightLimit: 10,
  fastInRow: 0,
  isSlow: true,
  failuresInRow: 0,
  failingSince: null,
  isSilent: false,
};

/** An endpoint that failed this often in a row is taken to be down until it succeeds. */
export const FAILING_AFTER = 3;

/** The reason that the customer sees. */
export const DISABLED_REASON = 'All attempts failed for 5 days, with at least 20 attempts.';

const SLOW_MS = 2_000;
const MAX_IN_FLIGHT = 64;
const MIN_IN_FLIGHT = 10;
/** After this many fast responses in a row, an endpoint that hung is trusted again. */
const FAST_AFTER = 5;
const MIN_FAILURES = 20;
const DAYS_OF_FAILURE = 5;
const DAY_MS = 86_400_000;
