import type { FilterType } from './list-definition.ts';

/** A sort of a list. */
export interface ListSort<Row> {
  readonly column: string;
  /** Its type in PostgreSQL. */
  readonly type: 'timestamptz' | 'text' | 'bigint';
  /** The column's value in a row, as text. */
  textOf(row: Row): string;
}

/** Sorts by a column. Its value is the row's field of the same name, unless `textOf` returns it. */
export const sortBy = {
  time: <Row>(column: string, textOf?: (row: Row) => string): ListSort<Row> => sort('timestamptz', column, textOf),
  text: <Row>(column: string, textOf?: (row: Row) => string): ListSort<Row> => sort('text', column, textOf),
  integer: <Row>(column: string, textOf?: (row: Row) => string): ListSort<Row> => sort('bigint', column, textOf),
};

function sort<Row>(type: ListSort<Row>['type'], column: string, textOf?: (row: Row) => string): ListSort<Row> {
  const field = fieldOf(column);
  return { type, column, textOf: textOf ?? ((row) => readField(row, field)) };
}

/** `s.created_at` is the field `created_at`. */
export function fieldOf(column: string): string {
  return column.slice(column.lastIndexOf('.') + 1);
}

/** A field of a row as text; times as ISO 8601. */
export function readField(row: unknown, field: string): string {
  const value: unknown = Reflect.get(Object(row), field);
  if (value === undefined || value === null) {
    throw new Error(`a list sorts by ${field}, which its rows do not have`);
  }
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The values that a query parameter accepts, and the condition that it adds to the query. */
export type ListFilter = FilterType & (Comparison | Cases);

interface Comparison {
  readonly type: string;
  /** The condition for a placeholder of that type. */
  readonly condition: (placeholder: string) => string;
  /** Converts the value in the request to the value of the placeholder. */
  readonly encode?: (value: string) => unknown;
}

interface Cases {
  /** A condition for each value. */
  readonly cases: Readonly<Record<string, string>>;
}

const isAfter = (column: string): ListFilter => ({
  kind: 'time',
  type: 'timestamptz',
  condition: (time) => `${column} > ${time}`,
});

const isBefore = (column: string): ListFilter => ({
  kind: 'time',
  type: 'timestamptz',
  condition: (time) => `${column} < ${time}`,
});

/** Filters by a column, or by a condition of their own. */
export const filterBy = {
  text: (column: string): ListFilter => ({ kind: 'text', type: 'text', condition: (value) => `${column} = ${value}` }),
  flag: (column: string): ListFilter => ({
    kind: 'boolean',
    type: 'boolean',
    condition: (value) => `${column} = ${value}`,
  }),
  oneOf: (values: readonly string[], column: string): ListFilter => ({
    kind: 'enum',
    values,
    type: 'text',
    condition: (value) => `${column} = ${value}`,
  }),
  /** Values greater than an integer of 0 or more. */
  above: (column: string): ListFilter => ({
    kind: 'integer',
    type: 'bigint',
    condition: (value) => `${column} > ${value}`,
  }),
  /** A condition for each value of the parameter. */
  cases: (cases: Readonly<Record<string, string>>): ListFilter => ({ kind: 'enum', values: Object.keys(cases), cases }),
  after: isAfter,
  before: isBefore,
  /** `created_after` and `created_before`. */
  createdWithin: (column: string) => ({ created_after: isAfter(column), created_before: isBefore(column) }),
};

/**
 * SQL: whether a column in the collation "C" begins with a text, in any case. An index on the column finds these rows
 * for any text: `like` would need to know the text at planning time.
 */
export function beginsWith(column: string, text: string): string {
  return `(${column} >= lower(${text}) and ${column} < lower(${text}) || ${LAST_CHARACTER})`;
}

/** Every text with a given prefix sorts before the prefix followed by the last character. */
const LAST_CHARACTER = "U&'\\+10FFFF'";
