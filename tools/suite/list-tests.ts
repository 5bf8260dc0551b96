import type { ImportGraph } from './import-graph.ts';

/** The test files of the repository, by what they need. */
export interface TestFiles {
  /** These need no database: `npm run test:fast`. */
  fast: string[];
  database: string[];
}

/** Divides the tests by what they import: one that can ask for a database needs PostgreSQL. */
export function listTests(graph: ImportGraph): TestFiles {
  const needs = Object.groupBy(graph.tests, (test) =>
    STARTS_POSTGRES.test(test) || graph.reachableFrom(test).has(CLONES) ? 'database' : 'fast',
  );
  return { fast: needs.fast ?? [], database: needs.database ?? [] };
}

const CLONES = 'packages/server/test/harness/clone-database.ts';

const STARTS_POSTGRES = /database\/embedded-postgres\//;
