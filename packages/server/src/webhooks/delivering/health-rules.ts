/** How an endpoint has done of late, which decides how much it may hold at once and on which lane. */
export interface Health {
  /** Attempts that may be under way at once, over all processes. */
  inFlightLimit: number;
  /** Successes in under two seconds since the last that was not, up to as many as count. */
  swiftInRow: number;
  /** New, failing or slow: its attempts take the places of the cautious lane. */
  isCautious: boolean;
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
  const isSwift = outcome.succeeded && outcome.durationMs < SLOW_MS;
  const swiftInRow = isSwift ? Math.min(before.swiftInRow + 1, SWIFT_AFTER) : 0;
  if (outcome.succeeded) {
    return {
      inFlightLimit: isSwift ? Math.min(before.inFlightLimit * 2, MOST_IN_FLIGHT) : LEAST_IN_FLIGHT,
      swiftInRow,
      isCautious: swiftInRow < SWIFT_AFTER && (before.isCautious || !isSwift),
      failuresInRow: 0,
      failingSince: null,
      isSilent: false,
    };
  }
  const failuresInRow = before.failuresInRow + (outcome.isOfSchedule ? 1 : 0);
  return {
    inFlightLimit: LEAST_IN_FLIGHT,
    swiftInRow,
    isCautious: before.isCautious || failuresInRow >= FAILING_AFTER || outcome.durationMs >= SLOW_MS,
    failuresInRow,
    failingSince: outcome.isOfSchedule ? (before.failingSince ?? outcome.endedAt) : before.failingSince,
    isSilent: !outcome.wasAnswered,
  };
}

/** Whether an endpoint has had nothing but failures for five days, and at least 20 of them (contract §9). */
export function isGivenUp({ failuresInRow, failingSince }: Health, now: Date): boolean {
  return (
    failingSince !== null &&
    failuresInRow >= FEWEST_FAILURES &&
    now.getTime() - failingSince.getTime() >= DAYS_OF_FAILURE * DAY_MS
  );
}

/** An endpoint that nothing is known of yet. */
export const NEW_ENDPOINT: Health = {
  inFlightLimit: 10,
  swiftInRow: 0,
  isCautious: true,
  failuresInRow: 0,
  failingSince: null,
  isSilent: false,
};

/** An endpoint that failed this often in a row is taken to be down until it succeeds. */
export const FAILING_AFTER = 3;

/** The reason that the customer sees. */
export const DISABLED_REASON = 'Every attempt failed for 5 days, at least 20 of them.';

const SLOW_MS = 2_000;
const MOST_IN_FLIGHT = 64;
const LEAST_IN_FLIGHT = 10;
/** So many swift answers in a row, and whoever hung is trusted again. */
const SWIFT_AFTER = 5;
const FEWEST_FAILURES = 20;
const DAYS_OF_FAILURE = 5;
const DAY_MS = 86_400_000;
