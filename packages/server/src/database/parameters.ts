/** The named parameters of a statement, each with its PostgreSQL type. */
export type Parameters = Readonly<Record<string, ParameterType>>;

/** The placeholder of each parameter in the text. */
export type Placeholders<P extends Parameters> = { readonly [K in keyof P]: string };

/** The value of each parameter in a call. */
export type ValuesOf<P extends Parameters> = { readonly [K in keyof P]: ValueOf<P[K]> };

/** Placeholders `$1`, `$2` … in the order of the parameters, and how to send their values. */
export function bindParameters<P extends Parameters>(parameters: P): BoundParameters<P> {
  const placeholders: Record<string, string> = {};
  const encoders: Array<(given: ValuesOf<P>) => unknown> = [];
  for (const [key, type] of Object.entries(parameters)) {
    placeholders[key] = placeholder(key, type, encoders.length + 1);
    if (typeof type !== 'string' && type.isArrays) {
      for (const [column, of] of Object.entries(type.columns)) {
        const encode = encoderOf(of);
        encoders.push((given) => (given[key] as Rows).map((row) => encode(row[column] ?? null)));
      }
    } else {
      const encode = encoderOf(type);
      encoders.push((given) => encode(given[key]) ?? null);
    }
  }
  return {
    placeholders: placeholders as Placeholders<P>,
    count: encoders.length,
    encode: (given) => encoders.map((encode) => encode(given)),
  };
}

interface BoundParameters<P extends Parameters> {
  readonly placeholders: Placeholders<P>;
  /** How many positions they take: a parameter of arrays takes one per column. */
  readonly count: number;
  encode(given: ValuesOf<P>): unknown[];
}

/** Throws if the text does not use one of the parameters, because one of the two is wrong. */
export function requireAllUsed(name: string, placeholders: Readonly<Record<string, string>>, text: string): void {
  for (const [key, inText] of Object.entries(placeholders)) {
    if (!text.includes(inText)) {
      throw new Error(`the statement ${name} does not use its parameter ${key}`);
    }
  }
}

/**
 * PostgreSQL's types and their TypeScript equivalents. `instant` is a `timestamptz` given in milliseconds since 1970.
 */
interface TypesOfColumns {
  text: string;
  integer: number;
  bigint: number;
  float8: number;
  /** Digits, for values that can exceed 2^53. */
  numeric: string;
  boolean: boolean;
  /** ISO 8601 text or a Date. */
  timestamptz: string | Date;
  /** Any JSON value; serialized here. */
  jsonb: unknown;
  bytea: Buffer;
}

type ColumnType = keyof TypesOfColumns;
type OrNull<T extends string> = T | `${T} | null`;
type ScalarType = OrNull<ColumnType | 'instant'> | OrNull<`${Exclude<ColumnType, 'jsonb'>}[]`>;

/** Many rows in one parameter; in the text it is a table with the parameter's name and these columns. */
interface Recordset<C extends Columns = Columns> {
  readonly columns: C;
  /** Sent as one array per column instead of JSON. */
  readonly isArrays: boolean;
}
type Columns = Readonly<Record<string, OrNull<ColumnType>>>;

type ParameterType = ScalarType | Recordset;
type ValueOf<T> =
  T extends Recordset<infer C>
    ? ReadonlyArray<{ readonly [K in keyof C]: ValueOf<C[K]> }>
    : T extends `${infer Inner} | null`
      ? ValueOf<Inner> | null
      : T extends `${infer Element extends ColumnType}[]`
        ? ReadonlyArray<TypesOfColumns[Element]>
        : T extends 'instant'
          ? number
          : T extends ColumnType
            ? TypesOfColumns[T]
            : never;

/** A parameter that takes many rows: `from ${seats}` reads them as a table named `seats` with these columns. */
export function recordset<const C extends Columns>(columns: C): Recordset<C> {
  return { columns, isArrays: false };
}

/**
 * The same rows as one array per column, whose length PostgreSQL knows: for JSON it always expects a hundred rows, and
 * may then read a whole table where it should look up a few keys. Only for statements that are measurably slower with
 * JSON, and not for lists.
 */
export function arrays<const C extends Columns>(columns: C): Recordset<C> {
  return { columns, isArrays: true };
}

function placeholder(key: string, type: ParameterType, position: number): string {
  if (typeof type !== 'string') {
    if (key !== key.toLowerCase()) {
      throw new Error(`the recordset ${key} names a table in SQL: use lower case`);
    }
    if (type.isArrays) {
      const arraysOf = Object.values(type.columns).map((of, at) => arrayOf(position + at, `${withoutNull(of)}[]`));
      return `unnest(${arraysOf.join(', ')}) as ${key} (${Object.keys(type.columns).join(', ')})`;
    }
    const columns = Object.entries(type.columns).map(([column, of]) => `${column} ${withoutNull(of)}`);
    // json, not jsonb: PostgreSQL would build a tree only to read it once.
    return `json_to_recordset($${position}::json) as ${key} (${columns.join(', ')})`;
  }
  const bare = withoutNull(type);
  if (bare.endsWith('[]')) {
    return arrayOf(position, bare);
  }
  return bare === 'instant' ? `to_timestamp($${position}::float8 / 1000)` : `$${position}::${bare}`;
}

/**
 * An array as a subquery, which hides its length from the planner. Otherwise PostgreSQL would find a plan for a call's
 * single ID much cheaper than the generic plan, which expects ten, and so plan the statement again for each call. That
 * took more than half of what PostgreSQL spent on taking and releasing a seat. The cast behind it keeps `any(…)` from
 * reading the subquery as rows.
 */
function arrayOf(position: number, type: string): string {
  return `(select $${position}::${type})::${type}`;
}

function withoutNull(type: string): string {
  return type.replace(' | null', '');
}

type Encode = (value: unknown) => unknown;

function encoderOf(type: ParameterType): Encode {
  if (typeof type !== 'string') {
    const binary = Object.entries(type.columns).flatMap(([column, of]) => (withoutNull(of) === 'bytea' ? column : []));
    return binary.length === 0 ? JSON.stringify : (rows) => JSON.stringify(withHex(rows as Rows, binary));
  }
  return withoutNull(type) === 'jsonb' ? (value) => (value === null ? null : JSON.stringify(value)) : (value) => value;
}

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>;

/** JSON has no bytes: PostgreSQL reads `bytea` from hexadecimal text. */
function withHex(rows: Rows, columns: readonly string[]): Rows {
  const hex = (value: unknown) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : null);
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(columns.map((column) => [column, hex(row[column])])),
  }));
}
