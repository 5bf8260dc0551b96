/**
 * How long an outcome that is not known yet is waited for before it is looked up, in milliseconds of the organization's
 * clock: at first quickly, as a lost answer mostly is of a moment, then up to an hour. Providers tell sooner by webhook.
 */
export function backoffMs(kind: 'requires_action' | 'processing' | 'unknown', checks: number): number {
  return kind === 'unknown' ? Math.min(5_000 * 2 ** Math.min(checks - 1, 10), HOUR_MS) : HOUR_MS;
}

const HOUR_MS = 3_600_000;
