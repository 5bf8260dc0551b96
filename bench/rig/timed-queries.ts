import { many, type Queries } from '../../packages/server/src/database/index.ts';
import { median } from './figure.ts';

interface TimedStatement {
  readonly name: string;
  readonly text: string;
}

/** A statement as it was sent last, and how long each of its runs took. */
interface Timed {
  statement: TimedStatement;
  values: readonly unknown[];
  tookMs: number[];
}

/** The same queries, each timed by the name of its statement. */
export class TimedQueries {
  readonly queries: Queries;
  readonly #timed = new Map<string, Timed>();

  constructor(queries: Queries) {
    this.queries = this.#wrap(queries);
  }

  /** Forgets what was timed. */
  forget(): void {
    this.#timed.clear();
  }

  /** The median of each statement in milliseconds. */
  medians(): Map<string, number> {
    return new Map([...this.#timed].map(([name, { tookMs }]) => [name, median(tookMs)]));
  }

  /** The plan of a statement as it was run last, in a transaction that is rolled back. */
  async explain(name: string): Promise<string> {
    const timed = this.#timed.get(name);
    if (timed === undefined) {
      return `${name} was not run`;
    }
    const text = `explain (analyze, buffers) ${timed.statement.text}`;
    let lines: string[] = [];
    await this.queries
      .transaction(async (tx) => {
        const explained = tx.execute({ name: `explain_${name}`, text }, timed.values);
        lines = (await many<{ 'QUERY PLAN': string }>().from(explained)).map((row) => row['QUERY PLAN']);
        throw new RolledBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) {
          throw error;
        }
      });
    return lines.join('\n');
  }

  async #time<T>(statement: TimedStatement, values: readonly unknown[], run: () => Promise<T>): Promise<T> {
    const startMs = performance.now();
    const result = await run();
    const timed: Timed = this.#timed.get(statement.name) ?? { statement, values, tookMs: [] };
    timed.values = values;
    timed.tookMs.push(performance.now() - startMs);
    this.#timed.set(statement.name, timed);
    return result;
  }

  #wrap(queries: Queries): Queries {
    return {
      inTransaction: queries.inTransaction,
      afterCommit: (act) => queries.afterCommit(act),
      execute: (statement, values) =>
        statement.isPlannedOnEachCall === true
          ? queries.execute(statement, values)
          : this.#time(statement, values, () => queries.execute(statement, values)),

      transaction: (body) => queries.transaction((tx) => body(this.#wrap(tx))),
    };
  }
}

class RolledBack extends Error {}
