import { invalidRequest } from '../errors.ts';
import { readTime } from '../read-time.ts';

/** How a list can be sorted and filtered; everything else in its query string is refused. */
export interface ListDefinition {
  /** The first is the default; `-` before it means descending. */
  defaultSort: string;
  /** The names of its sorts. */
  sorts: Readonly<Record<string, unknown>>;
  filters: Readonly<Record<string, FilterType>>;
  /** Whether it is the user's list, the same in every organization that they act in. */
  isOfUser?: true;
}

export type FilterType =
  | { kind: 'time' }
  | { kind: 'text' }
  | { kind: 'boolean' }
  | { kind: 'integer' }
  | { kind: 'enum'; values: readonly string[]; title?: string };

/** A validated request for one page of a list. */
export interface PageRequest {
  /** 1 to 100. */
  limit: number;
  sort: string;
  descending: boolean;
  /** Where the previous page ended: the sort value as text, and the ID. */
  after: { value: string; id: string } | undefined;
  /** Only what was given; times as ISO 8601 text. */
  filters: Readonly<Record<string, string | undefined>>;
}

/** One page of a list. */
export interface ListPage<Item> {
  items: readonly Item[];
  /** The sort value and ID of the last item, or undefined for the last page. */
  next: { value: string; id: string } | undefined;
}

/** Reads limit, sort and filters; the cursor is verified afterwards, because it is bound to them. */
export function parsePageRequest(definition: ListDefinition, query: URLSearchParams): PageRequest {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (seen.has(name)) {
      throw invalidRequest(name, 'type', `The query parameter ${name} was sent more than once.`);
    }
    seen.add(name);
    if (!PAGE_PARAMETERS.has(name) && !Object.hasOwn(definition.filters, name)) {
      throw invalidRequest(name, 'unknown', `Unknown query parameter: ${name}.`);
    }
  }
  const { sort, descending } = parseSort(definition, query.get('sort'));
  return {
    limit: parseLimit(query.get('limit')),
    sort,
    descending,
    after: undefined,
    filters: parseFilters(definition, query),
  };
}

/** Removes the extra row that shows whether there is more. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  request: PageRequest,
  position: (row: Row) => { value: string; id: string },
  present: (row: Row) => Item,
): ListPage<Item> {
  const kept = rows.slice(0, request.limit);
  const last = kept.at(-1);
  return {
    items: kept.map(present),
    next: rows.length > request.limit && last !== undefined ? position(last) : undefined,
  };
}

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
const PAGE_PARAMETERS = new Set(['limit', 'cursor', 'sort']);

function parseLimit(text: string | null): number {
  if (text === null) {
    return DEFAULT_LIMIT;
  }
  if (!/^-?\d+$/.test(text)) {
    throw invalidRequest('limit', 'type', 'limit must be an integer.');
  }
  const limit = Number(text);
  if (limit < 1 || limit > MAX_LIMIT) {
    throw invalidRequest('limit', limit < 1 ? 'min' : 'max', `limit must be between 1 and ${MAX_LIMIT}.`);
  }
  return limit;
}

function parseSort(definition: ListDefinition, text: string | null): { sort: string; descending: boolean } {
  const wanted = text ?? definition.defaultSort;
  const descending = wanted.startsWith('-');
  const sort = descending ? wanted.slice(1) : wanted;
  if (!Object.hasOwn(definition.sorts, sort)) {
    throw invalidRequest(
      'sort',
      'enum',
      `sort must be one of ${Object.keys(definition.sorts).join(', ')}. Prefix it with - for descending order.`,
    );
  }
  return { sort, descending };
}

function parseFilters(definition: ListDefinition, query: URLSearchParams): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, type] of Object.entries(definition.filters)) {
    const text = query.get(name);
    if (text !== null) {
      filters[name] = parseFilter(name, type, text);
    }
  }
  return filters;
}

function parseFilter(name: string, type: FilterType, text: string): string {
  switch (type.kind) {
    case 'time':
      return parseTime(name, text);
    case 'enum':
      if (!type.values.includes(text)) {
        throw invalidRequest(name, 'enum', `${name} must be one of ${type.values.join(', ')}.`);
      }
      return text;
    case 'boolean':
      if (text !== 'true' && text !== 'false') {
        throw invalidRequest(name, 'type', `${name} must be true or false.`);
      }
      return text;
    case 'integer':
      return parseInteger(name, text);
    case 'text':
      if (text.length > 255) {
        throw invalidRequest(name, 'length', `${name} must be at most 255 characters of text.`);
      }
      if (text.includes('\0') || !text.isWellFormed()) {
        throw invalidRequest(name, 'format', `${name} must not contain NUL characters or lone surrogates.`);
      }
      return text;
  }
}

function parseInteger(name: string, text: string): string {
  if (!/^-?\d{1,20}$/.test(text)) {
    throw invalidRequest(name, 'type', `${name} must be an integer.`);
  }
  const value = Number(text);
  if (value < 0 || value > Number.MAX_SAFE_INTEGER) {
    const reason = value < 0 ? 'min' : 'max';
    throw invalidRequest(name, reason, `${name} must be between 0 and ${Number.MAX_SAFE_INTEGER}.`);
  }
  return String(value);
}

function parseTime(name: string, text: string): string {
  const time = readTime(text);
  if (Number.isNaN(time) || time < MIN_TIME || time > MAX_TIME) {
    throw invalidRequest(
      name,
      'format',
      `${name} must be an ISO 8601 time with a time zone, for example 2026-01-31T12:00:00Z.`,
    );
  }
  return new Date(time).toISOString();
}

// A zone offset can move a time past either end, where its text would have a sign or more digits.
const MIN_TIME = Date.parse('0001-01-01T00:00:00Z');
const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');
