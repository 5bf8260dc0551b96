/** Every item of a list that is inherently short. */
export async function listAll<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) {
    items.push(item);
  }
  return items;
}
