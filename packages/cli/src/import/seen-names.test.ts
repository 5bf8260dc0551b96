import { expect, it } from 'vitest';
import { SeenNames } from './seen-names.ts';

it('an import recognizes all 20,000 names it has seen, and none of 20,000 others', () => {
  const seen = new SeenNames();
  expect(seen.has('0')).toBe(false);
  for (let index = 0; index < 20_000; index += 1) {
    seen.add(`${index}`);
  }
  const names = Array.from({ length: 40_000 }, (_, index) => `${index}`);
  expect(names.filter((name) => seen.has(name))).toEqual(names.slice(0, 20_000));
});
