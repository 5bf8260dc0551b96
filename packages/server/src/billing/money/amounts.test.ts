import { describe, expect, it } from 'vitest';
import { divideRounded, formatAmount, formatMoney } from './amounts.ts';

describe('divideRounded', () => {
  it.each([
    [0n, 3n, 0n],
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [3n, 2n, 2n],
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-2n, 3n, -1n],
    [7n, 1n, 7n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
  ])('rounds %d / %d to %d, half away from zero', (numerator, denominator, rounded) => {
    expect(divideRounded(numerator, denominator)).toBe(rounded);
  });

  it('is exact where a floating-point number is not', () => {
    expect(divideRounded(2n * 10n ** 19n + 1n, 2n)).toBe(10n ** 19n + 1n);
  });
});

describe('formatAmount', () => {
  it.each([
    [0, 'usd', '0.00'],
    [5, 'usd', '0.05'],
    [-5, 'usd', '-0.05'],
    [145_000, 'eur', '1,450.00'],
    [-123_456_789, 'usd', '-1,234,567.89'],
    [9_007_199_254_740_991, 'usd', '90,071,992,547,409.91'],
  ])('shows two decimals if a currency has cents: %i %s', (amount, currency, shown) => {
    expect(formatAmount(amount, currency)).toBe(shown);
  });

  it('shows no decimals for the yen, three for the dinar, four for the unidad de fomento', () => {
    expect([formatAmount(1_450, 'jpy'), formatAmount(0, 'krw')]).toEqual(['1,450', '0']);
    expect([formatAmount(1_450, 'kwd'), formatAmount(-7, 'bhd')]).toEqual(['1.450', '-0.007']);
    expect(formatAmount(12_345_678, 'clf')).toBe('1,234.5678');
  });

  it('treats an unknown currency as one with cents, whatever its name', () => {
    expect(formatAmount(100, 'constructor')).toBe('1.00');
  });
});

it('the currency follows the amount', () => {
  expect(formatMoney(14_500, 'usd')).toBe('145.00 USD');
});
