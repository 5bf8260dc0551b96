import { describe, expect, it } from 'vitest';
import { orderVisually } from './order-visually.ts';

/** As somebody would see it who knows the letters but not the direction: right-to-left stretches are spelt backwards. */
const seen = (line: string) =>
  orderVisually(line)
    .map(({ text, isRightToLeft }) => (isRightToLeft ? Array.from(text).reverse().join('') : text))
    .join('');

describe('orderVisually', () => {
  it('leaves a line that reads from left to right alone', () => {
    expect(orderVisually('Acme (Berlin) 12')).toEqual([{ text: 'Acme (Berlin) 12', isRightToLeft: false }]);
    expect(orderVisually('')).toEqual([]);
  });

  it('turns Hebrew words and their order around, and keeps numbers as they are', () => {
    expect(seen('שלום עולם')).toBe('םלוע םולש');
    expect(seen('רחוב 12')).toBe('12 בוחר');
    expect(seen('רחוב 12/34 תל')).toBe('לת 12/34 בוחר');
  });

  it('keeps a Latin name whole within Hebrew, and Hebrew within Latin', () => {
    expect(seen('שלום Acme Ltd שלום')).toBe('םולש Acme Ltd םולש');
    expect(seen('Acme שלום עולם Ltd')).toBe('Acme םלוע םולש Ltd');
  });

  it('mirrors brackets between words that read from right to left', () => {
    expect(seen('אב (גד) הו')).toBe('וה (דג) בא');
    expect(seen('Acme אב (גד) Ltd')).toBe('Acme (דג) בא Ltd');
    expect(seen('Acme אב (Inc) Ltd')).toBe('Acme בא (Inc) Ltd');
    expect(seen('אב (Acme)')).toBe('(Acme) בא');
    expect(seen('אב )( ((')).toBe(')) )( בא');
  });

  it('keeps a mark with its letter', () => {
    expect(orderVisually('שָׁלוֹם')).toEqual([{ text: 'שָׁלוֹם', isRightToLeft: true }]);
  });
});
