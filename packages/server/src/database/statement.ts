import { bindParameters, type Parameters, type Placeholders, requireAllUsed, type ValuesOf } from './parameters.ts';

/**
 * The one way to write SQL: a prepared statement with named, typed parameters and a typed result, which is called like a
 * function.
 *
 *     export const lockLicensesByKeys = statement({
 *       name: 'lock_licenses_by_keys',
 *       parameters: { organizationId: 'text', keys: 'text[]' },
 *       returns: many<{ license_id: string }>(),
 *       sql: ({ organizationId, keys }) => `select license_id from … where organization_id = ${organizationId}
 *         and key = any(${keys}) for update`,
 *     });
 *
 *     const locked = await lockLicensesByKeys(tx, { organizationId, keys });
 *
 * A misspelled parameter does not compile. Each placeholder carries its type (`$2::text[]`), so PostgreSQL never guesses.
 */
export function statement<const P extends Parameters = Record<never, never>, R = Promise<void>>(
  definition: StatementDefinition<P, R>,
): StatementCall<P, R> {
  const { name, parameters = {} as P, sql, returns, isHeldBack } = definition;
  const { placeholders, encode } = bindParameters(parameters);
  const text = sql(placeholders);
  const prepared = { name, text, isHeldBack: isHeldBack ?? WRITES.test(text) };
  requireAllUsed(name, placeholders, prepared.text);
  registerStatement(name, prepared.text);
  const result = (returns ?? NOTHING) as Returns<R>;
  return (queries: Executor, given: ValuesOf<P> = {} as ValuesOf<P>) =>
    result.from(queries.execute(prepared, encode(given)));
}

/** Also `for update`, which is only used for writes. */
const WRITES = /\b(?:insert into|update|delete from)\b/;

export interface StatementDefinition<P extends Parameters, R> {
  /** Unique in the program; connections prepare the statement under this name. */
  readonly name: string;
  /** Name and PostgreSQL type of each parameter. */
  readonly parameters?: P;
  /** The result of a call; nothing by default. */
  readonly returns?: Returns<R>;
  /** Whether it is refused while writes do not finish; by default, statements that write are. */
  readonly isHeldBack?: boolean;
  /** The text, created once. Each parameter is a string to insert into it. */
  readonly sql: (placeholders: Placeholders<P>) => string;
}

export type StatementCall<P extends Parameters, R> = keyof P extends never
  ? (queries: Executor) => R
  : (queries: Executor, values: ValuesOf<P>) => R;

/** Runs statements: the database, or a transaction. */
export interface Executor {
  execute(statement: PreparedStatement, values: readonly unknown[]): Promise<StatementResult>;
}

/** Text that a connection prepares once, under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** Not prepared, but planned for the values of each call. For lists, which have many texts with few calls each. */
  readonly isPlannedOnEachCall?: boolean;
  /** It writes, and is refused while writes do not finish. */
  readonly isHeldBack?: boolean;
}

/** PostgreSQL's response. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly rowCount: number;
}

// --- Results ---

/** Converts PostgreSQL's response into the result of a call. */
export interface Returns<R> {
  readonly from: (answer: Promise<StatementResult>) => R;
}

const NOTHING: Returns<Promise<void>> = { from: async (answer) => void (await answer) };

/** All rows, converted by `convert`. */
export function many<Row, T = Row>(convert: (row: Row) => T = asItIs): Returns<Promise<T[]>> {
  return { from: async (answer) => (await answer).rows.map((row) => convert(row as Row)) };
}

/** The first row, converted by `convert`, or undefined if there is none. */
export function maybeOne<Row, T = Row>(convert: (row: Row) => T = asItIs): Returns<Promise<T | undefined>> {
  return {
    from: async (answer) => {
      const { rows } = await answer;
      return rows.length === 0 ? undefined : convert(rows[0] as Row);
    },
  };
}

/** The row of a statement that always returns one, such as an aggregate; also converted by `convert`. */
export function one<Row, T = Row>(convert: (row: Row) => T = asItIs): Returns<Promise<T>> {
  return {
    from: async (answer) => {
      const { rows } = await answer;
      if (rows.length !== 1) {
        throw new Error(`a statement that always returns one row returned ${rows.length}`);
      }
      return convert(rows[0] as Row);
    },
  };
}

/** Returns the row unchanged. */
function asItIs<Row, T>(row: Row): T {
  return row as unknown as T;
}

/** Whether there is a row. */
export function exists(): Returns<Promise<boolean>> {
  return { from: async (answer) => (await answer).rows.length > 0 };
}

/** How many rows were read or changed. */
export function count(): Returns<Promise<number>> {
  return { from: async (answer) => (await answer).rowCount };
}

// --- All statements ---

const registered = new Map<string, readonly string[]>();

/** Registers a statement for the tools. A list has several texts under its name, one per sort order. */
export function registerStatement(name: string, ...texts: readonly string[]): void {
  if ((registered.get(name) ?? texts).join() !== texts.join()) {
    throw new Error(`two statements are named ${name}`);
  }
  registered.set(name, texts);
}

/** Every statement of the loaded modules, for tools that check them. */
export function listStatements(): ReadonlyArray<{ readonly name: string; readonly text: string }> {
  return [...registered].flatMap(([name, texts]) => texts.map((text) => ({ name, text })));
}
