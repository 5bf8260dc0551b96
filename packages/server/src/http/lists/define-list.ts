import {
  bindParameters,
  type Executor,
  type Parameters,
  type Placeholders,
  type Returns,
  registerStatement,
  requireAllUsed,
  type ValuesOf,
} from '../../database/index.ts';
import { fieldOf, type ListFilter, type ListSort, readField } from './list-columns.ts';
import { type ListDefinition, type ListPage, type PageRequest, toPage } from './list-definition.ts';
import { type ListParts, type PageShape, renderParts, sampleShapes, shapeOf, valuesOf } from './list-text.ts';

/**
 * A list with its SQL: each sort names its column, each filter its condition, and a page is one call.
 *
 *     export const PROJECT_LIST = defineList({
 *       name: 'list_projects',
 *       parameters: { organizationId: 'text' },
 *       returns: many<ProjectRow>(),
 *       defaultSort: '-created_at',
 *       sorts: { created_at: sortBy.time('created_at'), name: sortBy.text('name') },
 *       filters: { status: filterBy.oneOf(PROJECT_STATUSES, 'status'), ...filterBy.createdWithin('created_at') },
 *       sql: ({ organizationId }, { page }) =>
 *         `select id, name, status, created_at from projects where organization_id = ${organizationId} and ${page}`,
 *     });
 *
 *     return PROJECT_LIST.getPage(database, page, { organizationId }, presentProject);
 *
 * Its text is created once per requested combination of sort, direction and filters.
 */
export function defineList<const P extends Parameters = Record<never, never>, Row = never>(
  source: ListSource<P, Row>,
): List<P, Row> {
  const { name, parameters = {} as P, sorts, id = 'id' } = source;
  const { placeholders, count, encode } = bindParameters(parameters);
  const filters = typeof source.filters === 'function' ? source.filters(placeholders) : source.filters;
  const render = (shape: PageShape) => source.sql(placeholders, renderParts({ sorts, filters, id }, shape, count + 1));
  const samples = sampleShapes(sorts, filters).map(render);
  for (const text of samples) {
    requireAllUsed(name, placeholders, text);
  }
  registerStatement(name, ...samples);
  const textOf = remember(render);
  const idField = fieldOf(id);
  return {
    ...source,
    filters,
    getPage: async (queries, page, values, present) => {
      const query = { name, text: textOf(shapeOf(filters, page)), isPlannedOnEachCall: true };
      const answer = queries.execute(query, [...encode(values), ...valuesOf(filters, page)]);
      const position = (row: Row) => ({
        value: sorts[page.sort]?.textOf(row) ?? '',
        id: readField(row, idField),
      });
      return toPage(await source.returns.from(answer), page, position, present);
    },
  };
}

export interface List<P extends Parameters, Row> extends ListDefinition {
  /** A page, each row presented as an item. */
  getPage<Item>(
    queries: Executor,
    page: PageRequest,
    values: ValuesOf<P>,
    present: (row: Row) => Item,
  ): Promise<ListPage<Item>>;
}

export interface ListSource<P extends Parameters, Row> extends Pick<ListDefinition, 'defaultSort' | 'isOfUser'> {
  /** Unique in the program. */
  readonly name: string;
  readonly parameters?: P;
  readonly returns: Returns<Promise<Row[]>>;
  /** By name: the column, and the row's field that has its value. */
  readonly sorts: Readonly<Record<string, ListSort<NoInfer<Row>>>>;
  /** By query parameter: the accepted values, and the added condition. */
  readonly filters: Filters | ((placeholders: Placeholders<P>) => Filters);
  /** The unique column that breaks ties of the sort; `id` by default. */
  readonly id?: string;
  readonly sql: (placeholders: Placeholders<P>, parts: ListParts) => string;
}

type Filters = Readonly<Record<string, ListFilter>>;

/** The same list with only these values of a filter, which are known when the program is assembled. */
export function withValues<L extends ListDefinition>(
  list: L,
  filter: string,
  { title, values }: { title: string; values: readonly string[] },
): L {
  return { ...list, filters: { ...list.filters, [filter]: { kind: 'enum', values, title } } };
}

function remember(render: (shape: PageShape) => string): (shape: PageShape) => string {
  const texts = new Map<string, string>();
  return (shape) => {
    const key = JSON.stringify(shape);
    const text = texts.get(key) ?? render(shape);
    texts.set(key, text);
    return text;
  };
}
