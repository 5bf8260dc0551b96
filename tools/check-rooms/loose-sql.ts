/** The files that run SQL which only running them would show, and why. */
export const LOOSE_SQL: Readonly<Record<string, string>> = {
  'packages/server/src/database/database.ts': 'runs the statements that it is given',
  'packages/server/src/database/database-hosts.ts': 'asks a connection before it belongs to a pool',
  'packages/server/src/database/due-checks.ts': 'asks checks that are registered one by one',
  'packages/server/src/database/embedded-postgres/create-databases.ts': 'names a database, which no parameter can',
  'packages/server/src/database/logical-copy/begin-load.ts':
    'creates a schema as the catalogue of PostgreSQL describes it',
  'packages/server/src/database/logical-copy/table-shapes.ts': 'names sequences, which no parameter can',
  'packages/server/src/database/logical-copy/take-snapshot.ts': 'copies whichever tables there are',
  'packages/server/src/database/migrate.ts': 'runs the files of migrations',
  'packages/server/src/database/statement.ts': 'makes statements',
  'packages/server/src/http/lists/define-list.ts': 'makes the statements of lists',
};
