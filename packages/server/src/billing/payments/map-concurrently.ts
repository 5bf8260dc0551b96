/** Processes items, at most `limit` at the same time, and returns the results in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const takeNext = async () => {
    for (const [place, item] of rest) {
      results[place] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeNext));
  return results;
}
