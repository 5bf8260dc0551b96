/**
 * The instant of a query parameter, in milliseconds since 1970; NaN unless it is an RFC 3339 time with a zone.
 * `Date.parse` alone reads 30 February as 2 March, and 24:00 as the next day.
 */
export function readTime(text: string): number {
  // A plus sign that was not percent-encoded arrives as a space.
  const candidate = text.replace(/ (?=\d{2}:\d{2}$)/, '+');
  return RFC_3339.test(candidate) && isDay(candidate.slice(0, 10)) ? Date.parse(candidate) : Number.NaN;
}

/** Whether the text is a valid date such as 2026-01-31. */
export function isDay(text: string): boolean {
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;
