import { describe, expect, it } from 'vitest';
import { wrapText } from './wrap-text.ts';

/** Wraps in a monospaced font whose combining marks have no width. */
const wrap = (text: string, width: number) => wrapText(text, width, (part) => part.match(/\P{M}/gu)?.length ?? 0);

describe('wrapText', () => {
  it('breaks at spaces, and leaves none at the ends of lines', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('one two', 7)).toEqual(['one two']);
    expect(wrap('', 7)).toEqual([]);
  });

  it('breaks a word that is longer than a line, never between a letter and its marks', () => {
    expect(wrap('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
    expect(wrap('e\u0301e\u0301e\u0301e\u0301e\u0301', 2)).toEqual(['e\u0301e\u0301', 'e\u0301e\u0301', 'e\u0301']);
  });

  it('breaks between ideographs', () => {
    expect(wrap('株式会社サンプル', 3)).toEqual(['株式会', '社サン', 'プル']);
  });

  it('loses nothing and exceeds no line width', () => {
    const text = 'Łukasz Żółć / ООО Ромашка / 株式会社 GmbH & Co. KG';
    for (let width = 1; width < 50; width += 1) {
      const lines = wrap(text, width);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });
});
