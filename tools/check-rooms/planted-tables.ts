import { expect, it } from 'vitest';
import { checkRooms } from '../check-rooms.ts';
import { at, build, type Files, SOUND } from './planted-house.ts';
import type { TableMap } from './table-map.ts';

// For the tests of the checker: the sound house with two tables, and a statement of each room on its own.

export const MIGRATION = 'packages/server/migrations/0001-tables.sql';
export const TABLES = 'create table users (id text); create table invoices (id text, user_id text);';

export const HOUSE: Files = {
  ...SOUND,
  ...at(
    'database/statement.ts',
    `const listed: object[] = [];
    export const statement = (given: { name: string; sql: string }) => void listed.push({ name: given.name, text: given.sql });
    export const listStatements = () => listed;`,
  ),
  ...at('database/index.ts', `export const open = 'select 1';\nexport { statement } from './statement.ts';`),
  ...queries('users', 'find_user', 'select id from users'),
  ...queries('billing', 'find_invoice', 'select id from invoices'),
  [MIGRATION]: TABLES,
};

export const MAP: TableMap = {
  owners: { users: ['users'], billing: ['invoices'] },
  exceptions: [],
  looseSql: {},
};

/** What the house promises, what is planted, how its map differs, and the violations it must bring as `path:line rule`. */
export type TableFault = [promise: string, planted: Files, map: Partial<TableMap>, expected: string[]];

/** A statement of a room in a file of its own. */
export function queries(room: string, name: string, sql: string): Files {
  return at(
    `${room}/${name.replaceAll('_', '-')}-queries.ts`,
    `import { statement } from '../database/index.ts';\nstatement({ name: '${name}', sql: \`${sql}\` });`,
  );
}

/** One test for each fault, planted in the house. */
export function expectEachFault(faults: readonly TableFault[]): void {
  it.each(faults)('%s', async (_promise, planted, map, expected) => {
    const { violations } = await checkRooms(build({ ...HOUSE, ...planted }), { tables: { ...MAP, ...map } });
    const seen = violations.map(
      ({ path, line, rule }) => `${path.replace('packages/server/src/', '')}:${line} ${rule}`,
    );
    expect(seen.sort()).toEqual([...expected].sort());
  });
}
