/**
 * Converts a name to a slug: lowercase ASCII letters and digits, joined by hyphens. A name without any (such as one in
 * another script) becomes the fallback.
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

/** Latin letters that Unicode does not decompose into ASCII and a mark, with their ASCII spelling. */
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
