import { randomBytes } from 'node:crypto';

/** Crockford's base32: no I, L, O or U, so that a key can be read aloud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 20;

/** A new license key: four groups of five characters, 95 random bits and a check character. */
export function newLicenseKey(): string {
  let key = '';
  for (const byte of randomBytes(CHARACTERS - 1)) {
    key += ALPHABET[byte & 31];
  }
  return grouped(key + checkCharacter(key));
}

/**
 * Converts a typed key to its stored form: in any case, and with the letters that Crockford's base32 excludes read as the
 * digits they resemble. Returns undefined if it is not a valid key, for example because its check character is wrong.
 */
export function normalizeLicenseKey(typed: string): string | undefined {
  const key = typed.trim().toUpperCase().replaceAll('-', '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  if (key.length !== CHARACTERS || [...key].some((character) => !ALPHABET.includes(character))) {
    return undefined;
  }
  return checkCharacter(key.slice(0, -1)) === key.at(-1) ? grouped(key) : undefined;
}

function grouped(key: string): string {
  return [key.slice(0, 5), key.slice(5, 10), key.slice(10, 15), key.slice(15)].join('-');
}

/** The key as a polynomial over GF(32) (x^5 + x^2 + 1) at a primitive element: finds any one wrong or two swapped characters. */
function checkCharacter(key: string): string {
  let sum = 0;
  for (const character of key) {
    sum = timesTwo(sum ^ ALPHABET.indexOf(character));
  }
  return ALPHABET[sum] ?? '0';
}

function timesTwo(value: number): number {
  const doubled = value << 1;
  return doubled & 32 ? doubled ^ 0b100101 : doubled;
}
