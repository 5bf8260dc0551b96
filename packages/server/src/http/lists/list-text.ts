import type { ListFilter, ListSort } from './list-columns.ts';
import type { PageRequest } from './list-definition.ts';

/** The inputs of the text of a page's query. */
export interface PageShape {
  readonly sort: string;
  readonly descending: boolean;
  readonly isFirstPage: boolean;
  /** The given filters, in the order of the definition; with the value if it has its own condition. */
  readonly filters: ReadonlyArray<readonly [name: string, value?: string]>;
}

/** The parts that a list inserts into its query. */
export interface ListParts {
  /** For the end of a `where` clause: the filters, the position after the previous page, order and limit. */
  readonly page: string;
  /** Only `order by … limit …`, for the outer query around several queries that end in `page`. */
  readonly ordered: string;
}

type Sorts = Readonly<Record<string, Pick<ListSort<never>, 'column' | 'type'>>>;
type Filters = Readonly<Record<string, ListFilter>>;

export function shapeOf(filters: Filters, { sort, descending, after, filters: given }: PageRequest): PageShape {
  const chosen = Object.entries(filters).flatMap(([name, filter]): Array<[string, string?]> => {
    const value = given[name];
    return value === undefined ? [] : ['cases' in filter ? [name, value] : [name]];
  });
  return { sort, descending, isFirstPage: after === undefined, filters: chosen };
}

/** The values of the placeholders that `renderParts` wrote for the page's shape. */
export function valuesOf(filters: Filters, { limit, after, filters: given }: PageRequest): unknown[] {
  const compared = Object.entries(filters).flatMap(([name, filter]) => {
    const value = given[name];
    return value === undefined || 'cases' in filter ? [] : [filter.encode === undefined ? value : filter.encode(value)];
  });
  return [...compared, ...(after === undefined ? [] : [after.value, after.id]), limit + 1];
}

/**
 * The parts of a page's query; `position` is that of its first placeholder. Pages are cut by the row (sort column, id),
 * so that inserts do not shift them, and one extra row is read to see whether there is a next page.
 */
export function renderParts(
  list: { sorts: Sorts; filters: Filters; id: string },
  { sort, descending, isFirstPage, filters }: PageShape,
  position: number,
): ListParts {
  let next = position;
  const placeholder = (type: string) => `$${next++}::${type}`;
  const { column, type } = required(list.sorts[sort], sort);
  const conditions = filters.map(([name, value]) => {
    const filter = required(list.filters[name], name);
    return 'cases' in filter
      ? required(filter.cases[value ?? ''], `${name}=${value}`)
      : filter.condition(placeholder(filter.type));
  });
  if (!isFirstPage) {
    const after = `(${placeholder(type)}, ${placeholder('text')})`;
    conditions.push(`(${column}, ${list.id}) ${descending ? '<' : '>'} ${after}`);
  }
  const direction = descending ? 'desc' : 'asc';
  const ordered = `order by ${column} ${direction}, ${list.id} ${direction} limit ${placeholder('integer')}`;
  const page = `${conditions.length === 0 ? 'true' : conditions.map((each) => `(${each})`).join(' and ')} ${ordered}`;
  return { page, ordered };
}

/** Shapes that together contain every sort, both directions, every filter and every case. */
export function sampleShapes(sorts: Sorts, filters: Filters): PageShape[] {
  const names = Object.entries(filters);
  const casesOf = (filter: ListFilter) => ('cases' in filter ? Object.keys(filter.cases) : []);
  const most = Math.max(1, ...names.map(([, filter]) => casesOf(filter).length));
  const combinations = Array.from({ length: most }, (_, at) =>
    names.map(([name, filter]): readonly [string, string?] => {
      const cases = casesOf(filter);
      return cases.length === 0 ? [name] : [name, cases[at % cases.length] ?? ''];
    }),
  );
  const [all = []] = combinations;
  const [anySort = ''] = Object.keys(sorts);
  return [
    ...Object.keys(sorts).flatMap((sort) => [
      { sort, descending: false, isFirstPage: true, filters: [] },
      { sort, descending: true, isFirstPage: false, filters: all },
    ]),
    ...combinations.slice(1).map((each) => ({ sort: anySort, descending: true, isFirstPage: true, filters: each })),
  ];
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) {
    throw new Error(`a list has no ${name}`);
  }
  return value;
}
