import { expect, it, vi } from 'vitest';
import { withShortSearch } from './find-smallest.ts';

it('the search for the smallest counterexample ends, however long the run before it took', async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const asked: number[] = [];
  const property = withShortSearch(async (value: number) => {
    asked.push(value);
    if (value > 3) {
      throw new Error('too much');
    }
  });
  nowMs = 86_400_000;
  await property(1);
  await expect(property(9)).rejects.toThrow('too much');
  nowMs += 299_000;
  await expect(property(4)).rejects.toThrow('too much');
  nowMs += 2_000;
  await property(5);
  expect(asked).toEqual([1, 9, 4]);
  clock.mockRestore();
});
