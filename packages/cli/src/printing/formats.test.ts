import { expect, it } from 'vitest';
import { formatAmount, formatExpiry, formatTime } from './formats.ts';

it.each([
  [123_456, 'usd', '1,234.56 USD'],
  [500, 'jpy', '500 JPY'],
  [1_500, 'kwd', '1.500 KWD'],
  [-250, 'eur', '-2.50 EUR'],
])('%i minor units of %s are %s', (amount, currency, text) => {
  expect(formatAmount(amount, currency)).toBe(text);
});

it('a time is shown to the minute, and a missing end as "never"', () => {
  expect(formatTime('2027-12-31T12:34:56.789Z')).toBe('2027-12-31 12:34');
  expect(formatExpiry(null)).toBe('never');
});
