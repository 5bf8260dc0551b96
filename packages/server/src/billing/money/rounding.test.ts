import { expect, it } from 'vitest';
import { divideRounded } from './rounding.ts';

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
])('%d / %d is %d, half away from zero', (numerator, denominator, rounded) => {
  expect(divideRounded(numerator, denominator)).toBe(rounded);
});

it('is exact where a floating number is not', () => {
  expect(divideRounded(2n * 10n ** 19n + 1n, 2n)).toBe(10n ** 19n + 1n);
});
