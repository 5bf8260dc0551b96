import { describe, expect, it } from 'vitest';
import { idPattern, newId } from './index.ts';

describe('identifiers', () => {
  it('are unique and sort by creation time, even within one millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('event'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('are UUIDv7s in the TypeID form', () => {
    const beforeMs = Date.now();
    const id = newId('license');
    const afterMs = Date.now();
    expect(id).toMatch(new RegExp(idPattern('license')));
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    const bits = [...id.slice('lic_'.length)].reduce((sum, each) => sum * 32n + BigInt(alphabet.indexOf(each)), 0n);
    expect((bits >> 76n) & 15n).toBe(7n);
    expect((bits >> 62n) & 3n).toBe(2n);
    expect(Number(bits >> 80n)).toBeGreaterThanOrEqual(beforeMs);
    // The previous test's IDs may be a few milliseconds ahead of the clock.
    expect(Number(bits >> 80n)).toBeLessThanOrEqual(afterMs + 10);
  });
});
