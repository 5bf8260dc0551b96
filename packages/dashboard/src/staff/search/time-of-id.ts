const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The creation time of an ID, in milliseconds, from its first ten characters. Undefined if it is not one of our IDs.
 */
export function timeOfId(id: string): number | undefined {
  const [, digits] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{26})$/.exec(id) ?? [];
  return digits === undefined
    ? undefined
    : [...digits.slice(0, 10)].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0);
}
