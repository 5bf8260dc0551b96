import { fontFor } from './fonts.ts';

/**
 * A text prepared for one line: composed, without control characters and invisible marks such as those that change the
 * text direction. A character missing from all fonts is shown by its code point, ⟨U+1F600⟩: names must stay legible,
 * and two different names must not look the same.
 */
export function cleanLine(text: string): string {
  const plain = text
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, keepJoinerOfArabic)
    .trim();
  return Array.from(plain, replaceWithoutGlyph).join('');
}

/** The lines of an address, without empty ones. */
export function cleanLines(text: string): string[] {
  return text
    .slice(0, MOST_CHARACTERS)
    .split(/\r\n|[\n\r\u2028\u2029\v\f\u0085]/)
    .map(cleanLine)
    .filter((line) => line !== '');
}

/** More than any text of an invoice has, to bound the cost. */
const MOST_CHARACTERS = 4_000;

/** The zero-width non-joiner is part of Persian spelling; elsewhere it can be removed. */
function keepJoinerOfArabic(character: string, at: number, whole: string): string {
  return character === '\u200c' && /\p{Script=Arabic}/u.test(whole.charAt(at - 1)) ? character : '';
}

function replaceWithoutGlyph(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (character === '\u200c' || fontFor(codePoint, false) !== undefined) {
    return character;
  }
  return `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
