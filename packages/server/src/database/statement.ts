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

/** Also `for update`, which only a write is worth. */
const WRITES = /\b(?:insert into|update|delete from)\b/;

export interface StatementDefinition<P extends Parameters, R> {
  /** Unique in the program; a connection prepares the statement under it. */
  readonly name: string;
  /** Name and PostgreSQL type of each parameter. */
  readonly parameters?: P;
  /** What a call returns; nothing unless said otherwise. */
  readonly returns?: Returns<R>;
  /** Whether it is refused while writes do not finish; those that write are, unless said otherwise. */
  readonly isHeldBack?: boolean;
  /** The text, made once. Each parameter is a string to put into it. */
  readonly sql: (placeholders: Placeholders<P>) => string;
}

export type StatementCall<P extends Parameters, R> = keyof P extends never
  ? (queries: Executor) => R
  : (queries: Executor, values: ValuesOf<P>) => R;

/** What statements run on: the database, or a transaction. */
export interface Executor {
  execute(statement: PreparedStatement, values: readonly unknown[]): Promise<StatementResult>;
}

/** Text that a connection prepares once, under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** Not prepared, but planned for the values of each call. For lists, which have many texts and few calls of each. */
  readonly isPlannedOnEachCall?: boolean;
  /** It writes, and is refused while writes do not finish. */
  readonly isHeldBack?: boolean;
}

/** What PostgreSQL answered. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly rowCount: number;
}

// --- Results ---

/** How a call's result is made from PostgreSQL's answer. */
export interface Returns<R> {
  readonly from: (answer: Promise<StatementResult>) => R;
}

const NOTHING: Returns<Promise<void>> = { from: async (answer) => void (await answer) };

/** All rows, each as `convert` makes it. */
export function many<Row, T = Row>(convert: (row: Row) => T = asItIs): Returns<Promise<T[]>> {
  return { from: async (answer) => (await answer).rows.map((row) => convert(row as Row)) };
}

/** The first row, as `convert` makes it, or undefined when there is none. */
export function maybeOne<Row, T = Row>(convert: (row: Row) => T = asItIs): Returns<Promise<T | undefined>> {
  return {
    from: async (answer) => {
      const { rows } = await answer;
      return rows.length === 0 ? undefined : convert(rows[0] as Row);
    },
  };
}

/** The row of a statement that always returns one, as an aggregate does; also as `convert` makes it. */
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

/** Where the row is what the caller gets. */
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

/** Makes a statement known to the tools. A list brings several texts under its name: one for each way to sort it. */
export function registerStatement(name: string, ...texts: readonly string[]): void {
  if ((registered.get(name) ?? texts).join() !== texts.join()) {
    throw new Error(`two statements are named ${name}`);
  }
  registered.set(name, texts);
}

/** Every statement of the modules that are loaded, for tools that check them. */
export function listStatements(): ReadonlyArray<{ readonly name: string; readonly text: string }> {
  return [...registered].flatMap(([name, texts]) => texts.map((text) => ({ name, text })));
}
