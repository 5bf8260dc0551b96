import { expect, it } from 'vitest';
import { chargeUnitOf } from '../../money/amounts.ts';
import { maxStripeAmount, minStripeAmount, toStripeAmount } from './stripe-amount.ts';

it('amounts go to Stripe in ISO 4217 minor units, or in Stripe’s own units if they differ', () => {
  const told = ['usd', 'jpy', 'kwd', 'huf', 'twd', 'isk', 'ugx', 'mga'].map((currency) =>
    toStripeAmount(12_300, currency),
  );
  expect(told).toEqual([12_300, 12_300, 12_300, 12_300, 12_300, 1_230_000, 1_230_000, 123]);
});

it('a chargeable amount is a whole number for Stripe', () => {
  for (let count = 1; count <= 100_000; count += 7) {
    expect(toStripeAmount(count * chargeUnitOf('mga'), 'mga')).toBe(count);
  }
});

it('the largest amount has eight digits in Stripe’s units', () => {
  for (const currency of ['usd', 'jpy', 'isk', 'ugx', 'mga']) {
    const most = maxStripeAmount(currency);
    expect(toStripeAmount(most, currency)).toBeLessThanOrEqual(99_999_999);
    expect(toStripeAmount(most + 1, currency)).toBeGreaterThan(99_999_999);
  }
});

it.each([
  ['usd', 50],
  ['gbp', 30],
  ['huf', 17_500],
  ['jpy', 50],
  ['isk', 50],
  ['kwd', 500],
  ['mga', 5_000],
  ['zar', 50],
  ['constructor', 50],
])('the smallest charge in %s is %i', (currency, amount) => {
  expect(minStripeAmount(currency)).toBe(amount);
});
