/** How an endpoint has done of late, which decides how much it may hold at once and on which lane. */
export interface Health {
  /** Attempts that may be under way at once, over all processes. */
  inFlightLimit: number;
  /** New, failing or slow: its attempts take the places of the cautious lane. */
  isCautious: boolean;
  failuresInRow: number;
  failingSince: Date | null;
}

/** One attempt that ended, by the organization's own clock. */
export interface Outcome {
  succeeded: boolean;
  durationMs: number;
  endedAt: Date;
  /** False for what a person tries by hand: its failures say nothing of the endpoint's days. */
  isOfSchedule: boolean;
}

/**
 * The health after one more attempt. It grows with each success and shrinks with failures, as a TCP window does: a thousand
 * endpoints that hang hold a thousand places and not ten thousand, and one that answers gets as much as it can take.
 */
export function healthAfter(before: Health, outcome: Outcome): Health {
  const isSlow = outcome.durationMs >= SLOW_MS;
  if (outcome.succeeded) {
    const most = isSlow ? MOST_IN_FLIGHT_SLOW : MOST_IN_FLIGHT;
    return {
      inFlightLimit: Math.min(before.inFlightLimit * 2, most),
      isCautious: isSlow,
      failuresInRow: 0,
      failingSince: null,
    };
  }
  const failuresInRow = before.failuresInRow + (outcome.isOfSchedule ? 1 : 0);
  const isFailing = failuresInRow >= FAILING_AFTER;
  return {
    inFlightLimit: isFailing ? 1 : Math.max(1, Math.floor(before.inFlightLimit / 2)),
    isCautious: before.isCautious || isFailing || isSlow,
    failuresInRow,
    failingSince: outcome.isOfSchedule ? (before.failingSince ?? outcome.endedAt) : before.failingSince,
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
export const NEW_ENDPOINT: Health = { inFlightLimit: 1, isCautious: true, failuresInRow: 0, failingSince: null };

/** The reason that the customer sees. */
export const DISABLED_REASON = 'Every attempt failed for 5 days, at least 20 of them.';

const SLOW_MS = 2_000;
const MOST_IN_FLIGHT = 32;
const MOST_IN_FLIGHT_SLOW = 10;
const FAILING_AFTER = 3;
const FEWEST_FAILURES = 20;
const DAYS_OF_FAILURE = 5;
const DAY_MS = 86_400_000;
