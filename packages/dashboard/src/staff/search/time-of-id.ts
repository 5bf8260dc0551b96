const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** When an id was made, in milliseconds: its first ten digits, as ids are sorted by time. Undefined if it is no id of ours. */
export function timeOfId(id: string): number | undefined {
  const [, digits] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{26})$/.exec(id) ?? [];
  return digits === undefined
    ? undefined
    : [...digits.slice(0, 10)].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0);
}
