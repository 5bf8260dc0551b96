import { InvalidArgumentError } from 'commander';

/** The time of an option or argument, as ISO 8601 with milliseconds; refuses invalid times. */
export function parseTime(text: string): string {
  const value = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse reads 30 February as 2 March.
  const isReal =
    !Number.isNaN(Date.parse(text.slice(0, 10))) &&
    new Date(text.slice(0, 10)).toISOString().startsWith(text.slice(0, 10));
  if (Number.isNaN(value) || !isReal) {
    throw new InvalidArgumentError('It must be an ISO 8601 time, for example 2027-12-31 or 2027-12-31T12:00:00Z.');
  }
  return new Date(value).toISOString();
}
