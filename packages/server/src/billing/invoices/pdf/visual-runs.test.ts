import { describe, expect, it } from 'vitest';
import { visualRuns } from './visual-runs.ts';

/** What a reader sees who ignores the direction: right-to-left runs are spelled backwards. */
const seen = (line: string) =>
  visualRuns(line)
    .map(({ text, isRightToLeft }) => (isRightToLeft ? Array.from(text).reverse().join('') : text))
    .join('');

describe('visualRuns', () => {
  it('leaves a left-to-right line alone', () => {
    expect(visualRuns('Acme (Berlin) 12')).toEqual([{ text: 'Acme (Berlin) 12', isRightToLeft: false }]);
    expect(visualRuns('')).toEqual([]);
  });

  it('reverses Hebrew words and their order, and keeps numbers as they are', () => {
    expect(seen('שלום עולם')).toBe('םלוע םולש');
    expect(seen('רחוב 12')).toBe('12 בוחר');
    expect(seen('רחוב 12/34 תל')).toBe('לת 12/34 בוחר');
    expect(seen('רחוב 1,234.50 תל')).toBe('לת 1,234.50 בוחר');
  });

  it('keeps a Latin name whole within Hebrew, and Hebrew within Latin', () => {
    expect(seen('שלום Acme Ltd שלום')).toBe('םולש Acme Ltd םולש');
    expect(seen('Acme שלום עולם Ltd')).toBe('Acme םלוע םולש Ltd');
    expect(seen('שלום Acme 12 Ltd שלום')).toBe('םולש Acme 12 Ltd םולש');
  });

  it('keeps a number with the Hebrew text before it in a left-to-right line', () => {
    expect(seen('Acme רחוב 12, Berlin')).toBe('Acme 12 בוחר, Berlin');
  });

  it('mirrors brackets between right-to-left words', () => {
    expect(seen('אב (גד) הו')).toBe('וה (דג) בא');
    expect(seen('Acme אב (גד) Ltd')).toBe('Acme (דג) בא Ltd');
    expect(seen('Acme אב (Inc) Ltd')).toBe('Acme בא (Inc) Ltd');
    expect(seen('אב (Acme)')).toBe('(Acme) בא');
    expect(seen('אב )( ((')).toBe(')) )( בא');
  });

  it('keeps a mark with its letter', () => {
    expect(visualRuns('שָׁלוֹם')).toEqual([{ text: 'שָׁלוֹם', isRightToLeft: true }]);
  });

  it('keeps an Arabic word in one piece, so that its letters can be joined', () => {
    expect(visualRuns('شركة 12')).toEqual([
      { text: '12', isRightToLeft: false },
      { text: ' ', isRightToLeft: true },
      { text: 'شركة', isRightToLeft: true },
    ]);
  });

  it('keeps Arabic-Indic digits in their order, with the separators between them', () => {
    expect(seen('شارع ١٢٫٥ ب')).toBe('ب ١٢٫٥ عراش');
    expect(visualRuns('ب ١٢').map(({ text }) => text)).toEqual(['١', '٢', ' ', 'ب']);
  });

  it('puts punctuation at the end of a right-to-left line on its left', () => {
    expect(seen('שלום!')).toBe('!םולש');
    expect(seen('Acme שלום!')).toBe('Acme םולש!');
  });

  it('keeps signs and currencies with their number', () => {
    expect(seen('מחיר 5% הנחה')).toBe('החנה 5% ריחמ');
    expect(seen('מחיר $5 הנחה')).toBe('החנה $5 ריחמ');
  });

  it('keeps a hyphenated phone number as it is', () => {
    expect(seen('טל 03-1234567')).toBe('03-1234567 לט');
  });
});
