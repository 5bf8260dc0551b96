import type { EventDefinition } from '../../events/index.ts';
import { type ListPage, type PageRequest, toPage } from '../../http/index.ts';

/** Every type of event that this service sends, by name. */
export function listEventTypes(catalogue: readonly EventDefinition[], page: PageRequest): ListPage<unknown> {
  const direction = page.descending ? -1 : 1;
  const { after } = page;
  const rows = catalogue
    .toSorted((one, other) => direction * compare(one.type, other.type))
    .filter((each) => after === undefined || direction * compare(each.type, after.id) > 0)
    .slice(0, page.limit + 1);
  return toPage(
    rows,
    page,
    (each) => ({ value: each.type, id: each.type }),
    ({ type, description, schema, example }) => ({ type, description, schema, example }),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
