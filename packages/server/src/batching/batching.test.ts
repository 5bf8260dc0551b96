import { describe, expect, it } from 'vitest';
import { Batcher } from './index.ts';

const overflow = () => new Error('too many wait');

function doubling(
  options: { maxBatch?: number; maxWaiting?: number; fails?: (items: readonly number[]) => boolean } = {},
) {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>({
    run: async (_key, items) => {
      batches.push([...items]);
      await new Promise((resolve) => setImmediate(resolve));
      if (options.fails?.(items) === true) {
        throw new Error('one of them is bad');
      }
      return items.map((item) => item * 2);
    },
    maxBatch: options.maxBatch ?? 100,
    maxWaiting: options.maxWaiting ?? 100,
    overflow,
    isolates: () => true,
  });
  return { batcher, batches };
}

describe('a batcher', () => {
  it('returns each item its own result, and gathers what arrives in the meantime', async () => {
    const { batcher, batches } = doubling();
    const first = [1, 2, 3].map((item) => batcher.submit('a', item));
    await new Promise((resolve) => setImmediate(resolve));
    const later = [4, 5].map((item) => batcher.submit('a', item));
    expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10]);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('separates keys and never exceeds the maximum batch size', async () => {
    const { batcher, batches } = doubling({ maxBatch: 2 });
    await Promise.all([batcher.submit('a', 1), batcher.submit('b', 2), batcher.submit('a', 3), batcher.submit('a', 4)]);
    expect(batches.toSorted()).toEqual([[1, 3], [2], [4]]);
  });

  it('does not let one bad item affect the others', async () => {
    const { batcher } = doubling({ fails: (items) => items.includes(13) });
    const results = await Promise.allSettled([12, 13, 14].map((item) => batcher.submit('a', item)));
    expect(results.map((each) => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('refuses more items than may wait', async () => {
    const { batcher } = doubling({ maxWaiting: 2 });
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit('a', item)));
    expect(results.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('forgets an idle key', async () => {
    const { batcher, batches } = doubling();
    await batcher.submit('a', 1);
    await batcher.submit('a', 2);
    expect(batches).toEqual([[1], [2]]);
  });
});
