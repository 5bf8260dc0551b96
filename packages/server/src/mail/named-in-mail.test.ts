import { expect, it } from 'vitest';
import { namedInMail } from './named-in-mail.ts';

it.each([
  'https://evil.example/win',
  'Claim it at HTTP://evil.example',
  'look at WWW.evil.example now',
  'write to prize@evil.example',
  'ｈｔｔｐｓ：／／evil.example',
  'prize＠evil.example',
])('a name that contains an address is not shown: %s', (name) => {
  expect(namedInMail(name)).toBe('(a name that looks like an address)');
});

it.each([
  'Ada Lovelace',
  'St. Mary’s School',
  'Analytical Engines Ltd.',
  'Booking.com',
  '株式会社アナリティカル',
  'A/B: C//D',
])('any other name is shown unchanged: %s', (name) => {
  expect(namedInMail(name)).toBe(name);
});
