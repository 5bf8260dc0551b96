import { httpError, invalidRequest, readTime } from '../../http/index.ts';
import { type DemandWindow, MINUTE_MS } from './demand-tally.ts';

export interface DemandQuery {
  from?: string;
  to?: string;
  interval?: 'hour' | 'day';
}

/**
 * The time range: whole hours or days, up to the current minute. Throws invalid_request for an invalid time, and
 * validation_failed for a range that is empty, too long, or too long ago.
 */
export function parseDemandRange(query: DemandQuery, nowMs: number): DemandWindow & { intervalMs: number } {
  const { interval = 'hour' } = query;
  const { intervalMs, longestDays } = INTERVALS[interval];
  const toMs = query.to === undefined ? nowMs : parseTime('to', query.to);
  const fromMs = query.from === undefined ? toMs - DEFAULT_DAYS * DAY_MS : parseTime('from', query.from);
  if (fromMs >= toMs) {
    throw outside('from', 'max', 'from must be before to.');
  }
  if (fromMs >= nowMs) {
    throw outside('from', 'max', 'from must be in the past.');
  }
  if (toMs - fromMs > longestDays * DAY_MS) {
    throw outside('from', 'min', `from can be at most ${longestDays} days before to if interval is ${interval}.`);
  }
  if (nowMs - fromMs > OLDEST_DAYS * DAY_MS) {
    throw outside('from', 'min', `from can be at most ${OLDEST_DAYS} days ago.`);
  }
  const thisMinuteEndMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  return {
    fromMs: Math.floor(fromMs / intervalMs) * intervalMs,
    untilMs: Math.min(Math.ceil(toMs / intervalMs) * intervalMs, thisMinuteEndMs),
    intervalMs,
  };
}

function parseTime(field: string, text: string): number {
  const ms = readTime(text);
  if (Number.isNaN(ms)) {
    throw invalidRequest(
      field,
      'format',
      `${field} must be an ISO 8601 time with a time zone, for example 2026-01-31T12:00:00Z.`,
    );
  }
  return ms;
}

function outside(field: string, reason: 'min' | 'max', message: string) {
  return httpError('validation_failed', message, { details: { field, reason } });
}

const DAY_MS = 86_400_000;
const INTERVALS = {
  hour: { intervalMs: 3_600_000, longestDays: 31 },
  day: { intervalMs: DAY_MS, longestDays: 92 },
};
const DEFAULT_DAYS = 7;
const OLDEST_DAYS = 92;
