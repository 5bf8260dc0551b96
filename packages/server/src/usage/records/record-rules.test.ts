import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, instantOf, requireTimely } from './record-rules.ts';

const refusal = (work: () => unknown) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('decimalOf', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1250, '1250'],
    [0.1, '0.1'],
    [0.000001, '0.000001'],
    [123456789.123456, '123456789.123456'],
    [999_999_999_999_999, '999999999999999'],
  ])('keeps %s digit by digit', (value, text) => {
    expect(decimalOf(value)).toBe(text);
  });

  it.each([0.0000001, 1.2345678, 1e-7, 5e-324, 0.1 + 0.2, 1234567890.123456, 999_999_999_999_999.9, 1e21])(
    'refuses %s, which has too many digits',
    (value) => {
      expect(refusal(() => decimalOf(value))).toMatchObject({
        code: 'invalid_request',
        details: { field: 'value', reason: 'format' },
      });
    },
  );

  it('keeps every decimal of at most nine digits and six decimals as written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.integer({ min: 0, max: 999_999 }),
        (whole, millionths) => {
          const written = `${whole}.${String(millionths).padStart(6, '0')}`;
          expect(decimalOf(JSON.parse(written))).toBe(written.replace(/\.?0+$/, ''));
        },
      ),
    );
  });
});

describe('the time of a record', () => {
  const now = Date.parse('2026-03-31T12:00:00Z');

  it('may be from 35 days ago to 5 minutes ahead, both inclusive', () => {
    for (const ms of [now, now + 300_000, now - 35 * 86_400_000]) {
      expect(refusal(() => requireTimely(ms, now))).toBeUndefined();
    }
    expect(refusal(() => requireTimely(now + 300_001, now))).toMatchObject({
      details: { field: 'at', reason: 'future' },
    });
    const past = refusal(() => requireTimely(now - 35 * 86_400_000 - 1, now));
    expect(past).toMatchObject({ code: 'validation_failed', details: { field: 'at', reason: 'past' } });
  });

  it('is refused if it names no instant', () => {
    expect(refusal(() => instantOf('2016-12-31T23:59:60Z'))).toMatchObject({ code: 'invalid_request' });
  });
});
