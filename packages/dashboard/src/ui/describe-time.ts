import { dateFormat, relativeTimeFormat } from './formats.ts';

export const MINUTE_MS = 60_000;

const UNITS = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** How long ago a moment was, or how far ahead it is, in whole minutes; its date if that is more than a week. */
export function describeTime(date: Date, nowMs: number, language: string): string {
  const minutes = Math.floor(date.getTime() / MINUTE_MS) - Math.floor(nowMs / MINUTE_MS);
  if (Math.abs(minutes) > 7 * 1_440) {
    return dateFormat(language, { dateStyle: 'medium' }).format(date);
  }
  const [unit, size] = UNITS.find((each) => Math.abs(minutes) >= each[1]) ?? (['minute', 1] as const);
  return relativeTimeFormat(language, { numeric: 'auto', style: 'short' }).format(Math.trunc(minutes / size), unit);
}
