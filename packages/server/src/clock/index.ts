/** What tells the time of this process. Comparisons that several processes must agree on use the database's clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number;
}

/** The wall clock of this machine. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Waits; handed in wherever a use case waits on purpose, so that its tests do not. */
export type Pause = (milliseconds: number) => Promise<void>;

/** Waits by a timer. */
export const systemPause: Pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

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
