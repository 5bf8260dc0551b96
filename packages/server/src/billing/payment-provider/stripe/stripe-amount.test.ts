import { expect, it } from 'vitest';
import { maxStripeAmount, minStripeAmount, toStripeAmount } from './stripe-amount.ts';

it('Stripe is told minor units of ISO 4217, times a hundred where it wants hundredths that are none', () => {
  const told = ['usd', 'jpy', 'kwd', 'isk', 'ugx'].map((currency) => toStripeAmount(1_234, currency));
  expect(told).toEqual([1_234, 1_234, 1_234, 123_400, 123_400]);
});

it('the most that is charged at once has eight digits as Stripe is told it', () => {
  for (const currency of ['usd', 'jpy', 'isk', 'ugx']) {
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
  ['zar', 50],
  ['constructor', 50],
])('the least that is charged in %s is %i', (currency, amount) => {
  expect(minStripeAmount(currency)).toBe(amount);
});
