/**
 * The part of an address that a name becomes: lower-case letters and digits of ASCII, joined by hyphens. A name without
 * any (of another script, say) becomes the fallback.
 */
export function slugOf(name: string, fallback = 'organization'): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(FOLDED, (letter) => FOLDS[letter] ?? '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '');
  return words === '' ? fallback : words;
}

/** Latin letters that Unicode does not take apart into one of ASCII and a mark, as they are written without them. */
const FOLDS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ə: 'e',
};
const FOLDED = new RegExp(`[${Object.keys(FOLDS).join('')}]`, 'g');

const MAX_SLUG_CHARACTERS = 48;
