import type { Executor } from './statement.ts';
import { registerStatement } from './statement.ts';

/** A cheap query that tells whether a job has work: one value, by an index. */
export interface DueCheck {
  readonly name: string;
  /** A scalar expression in SQL without parameters. */
  readonly sql: string;
}

/** Defines a check, at the load of the room's module, like a statement. */
export function defineDueCheck({ name, sql }: { readonly name: string; readonly sql: () => string }): DueCheck {
  const check = { name, sql: sql() };
  registerStatement(name, `select (${check.sql}) as value`);
  return check;
}

/** Whether such a row exists, as an expression for a check. */
export function anyRow(query: string): string {
  return `coalesce((select true from (${query}) found limit 1), false)`;
}

/**
 * Runs several checks in one statement. For an idle service, the cost is in the number of statements, not in what they
 * read.
 */
export function createDueLook(
  name: string,
  checks: readonly DueCheck[],
): (queries: Executor) => Promise<ReadonlyMap<DueCheck, unknown>> {
  const text = `select ${checks.map(({ sql }, index) => `(${sql}) as c${index}`).join(', ')}`;
  const prepared = { name, text };
  return async (queries) => {
    const { rows } = await queries.execute(prepared, []);
    const row = rows[0] as Readonly<Record<string, unknown>>;
    return new Map(checks.map((check, index) => [check, row[`c${index}`]]));
  };
}
