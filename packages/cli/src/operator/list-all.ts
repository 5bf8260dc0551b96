/** Every item of a list, for what is short by nature. */
export async function listAll<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) {
    items.push(item);
  }
  return items;
}
