import { httpError, invalidRequest, isDay, readTime } from '../../http/index.ts';

export interface ExportQuery {
  format?: 'csv' | 'jsonl';
  from?: string;
  to?: string;
}

/** Rows created at `fromMs` or later, and before `untilMs`. */
export interface ExportRange {
  fromMs: number;
  untilMs: number;
}

/**
 * Everything, or the range of the query. Throws invalid_request for an invalid time, and validation_failed for an empty
 * range.
 */
export function parseExportRange({ from, to }: ExportQuery): ExportRange {
  const fromMs = from === undefined ? EARLIEST_MS : parseTime('from', from);
  const untilMs = to === undefined ? LATEST_MS : parseTime('to', to);
  if (fromMs >= untilMs) {
    throw httpError('validation_failed', 'from must be before to.', { details: { field: 'from', reason: 'max' } });
  }
  return { fromMs, untilMs };
}

function parseTime(field: string, text: string): number {
  const ms = isDay(text) ? Date.parse(text) : readTime(text);
  if (Number.isNaN(ms) || ms < EARLIEST_MS || ms > LATEST_MS) {
    throw invalidRequest(
      field,
      'format',
      `${field} must be a date, for example 2026-01-31, or an ISO 8601 time with a time zone, between the years 2000 and 9999.`,
    );
  }
  return ms;
}

const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;
