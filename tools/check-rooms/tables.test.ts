import { describe, expect, it } from 'vitest';
import { checkRooms } from '../check-rooms.ts';
import { at, build } from './planted-house.ts';
import { expectEachFault, HOUSE, MAP, MIGRATION, queries, type TableFault } from './planted-tables.ts';

const LOOSE = (call: string) =>
  at('database/run.ts', `export const run = (client: { query: (t: string) => void }, text: string) => ${call};`);

const STATEMENTS: readonly TableFault[] = [
  [
    'a statement may not be created inside a function',
    at(
      'billing/late-queries.ts',
      `import { statement } from '../database/index.ts';\nexport const late = () => statement({ name: 'late', sql: 'select 1' });`,
    ),
    {},
    ['billing/late-queries.ts:2 late-statement'],
  ],
  [
    'a function named define… creates statements for its callers',
    {
      ...at(
        'users/find-queries.ts',
        `import { statement } from '../database/index.ts';\nexport function defineFind(table: string) {\n  statement({ name: \`find_\${table}\`, sql: \`select id from \${table}\` });\n}`,
      ),
      ...at('users/index.ts', `export { defineFind } from './find-queries.ts';`),
      ...at('billing/planted-queries.ts', `import { defineFind } from '../users/index.ts';\ndefineFind('users');`),
    },
    {},
    ['billing/planted-queries.ts:1 foreign-table'],
  ],
  [
    'such a function may not be called by another function either',
    at(
      'users/find-queries.ts',
      `import { statement } from '../database/index.ts';\nfunction defineFind() {\n  statement({ name: 'find', sql: 'select 1' });\n}\nexport const late = () => defineFind();`,
    ),
    {},
    ['users/find-queries.ts:5 late-statement'],
  ],
  [
    'a list of statements may be created when the module loads',
    at(
      'users/find-queries.ts',
      `import { statement } from '../database/index.ts';\nexport const all = ['a', 'b'].map((name) => statement({ name, sql: 'select 1' }));`,
    ),
    {},
    [],
  ],
  [
    'SQL that PostgreSQL cannot parse is found',
    queries('billing', 'planted', 'select from where'),
    {},
    ['billing/planted-queries.ts:2 unreadable-sql'],
  ],
  [
    'a module that fails when it loads is found',
    at('billing/broken.ts', `throw new Error('broken');`),
    {},
    ['billing/broken.ts:1 unloadable-module'],
  ],
  ['SQL outside of statements is found', LOOSE('client.query(text)'), {}, ['database/run.ts:1 loose-sql']],
  [
    'SQL outside of statements may be listed with a reason',
    LOOSE('client.query(text)'),
    { looseSql: { 'packages/server/src/database/run.ts': 'a reason' } },
    [],
  ],
  [
    'a file without such SQL may not be listed',
    LOOSE(`client.query('select 1')`),
    { looseSql: { 'packages/server/src/database/run.ts': 'a reason' } },
    ['tools/check-rooms/table-owners.ts:1 unused-exception'],
  ],
  [
    'SQL in the call that runs it is checked as well',
    LOOSE(`client.query('delete from users')`),
    {},
    ['database/run.ts:1 foreign-table'],
  ],
];

describe('statements', () => expectEachFault(STATEMENTS));

describe('the check of tables', () => {
  it('reports who does what with which table, and what to do', async () => {
    const root = build({ ...HOUSE, ...queries('billing', 'planted', 'delete from users') });
    const { violations } = await checkRooms(root, { tables: MAP });
    expect(violations.map(({ advice }) => advice)).toEqual([
      'billing may not write users of users (planted): call what users exports, or give a reason in tools/check-rooms/table-owners.ts',
    ]);
  });

  it('fails when it sees no table', async () => {
    const root = build({ ...HOUSE, [MIGRATION]: 'select 1;' });
    const { violations } = await checkRooms(root, { tables: { ...MAP, owners: {} } });
    expect(violations.map(({ rule }) => rule)).toContain('blind-checker');
  });
});
