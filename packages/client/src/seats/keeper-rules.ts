import type { Moment } from './keeper-types.ts';

/** Milliseconds before the attempt after `failures` failures in a row. Doubles up to `mostMs`; the upper half is random. */
export function backoffMs(failures: number, mostMs: number, random: number): number {
  return Math.min(mostMs, 1000 * 2 ** Math.min(failures - 1, 20)) * (0.5 + 0.5 * random);
}

/** The same for a service that specifies when to retry. */
export function retryMs(
  retryAfterSeconds: number | undefined,
  failures: number,
  mostMs: number,
  { random }: Moment,
): number {
  return retryAfterSeconds === undefined
    ? backoffMs(failures, mostMs, random)
    : Math.min(retryAfterSeconds, 300) * 1000 + 1000 * random;
}

/** Milliseconds between heartbeats: about half of the interval, so that one may fail. */
export function heartbeatDelayMs(intervalSeconds: number, random: number): number {
  return intervalSeconds * 1000 * (0.4 + 0.2 * random);
}

/** The longest pause between two failing heartbeats. */
export function mostHeartbeatPauseMs(intervalSeconds: number): number {
  return Math.max(1000, Math.min(30_000, intervalSeconds * 500));
}

export const MOST_ACQUIRE_PAUSE_MS = 30_000;
/** A reserved seat is kept for 30 s. */
export const MOST_POLL_PAUSE_MS = 10_000;
export const MOST_LOST_PAUSE_MS = 60_000;
export const LEAST_POLL_MS = 1000;
export const POLL_TIMEOUT_SECONDS = 25;
/** After this time, a successful request is followed by one for the revocation list. */
export const REVOCATIONS_EVERY_MS = 600_000;
export const RELEASE_ATTEMPTS = 3;
/** Timers have 31 bits of milliseconds; a longer time takes several steps. */
export const LONGEST_TIMER_MS = 86_400_000;

/** The session is gone, but the program may have another one. */
export const SESSION_ENDED: ReadonlySet<string> = new Set(['session_timeout', 'session_released', 'not_found']);
export const TOKEN_REFUSED: ReadonlySet<string> = new Set(['invalid_token', 'token_expired']);
