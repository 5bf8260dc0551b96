import { describe } from 'vitest';
import { expectEachFault, MAP, MIGRATION, queries, TABLES, type TableFault } from './planted-tables.ts';
import type { TableMap } from './table-map.ts';

/** A query of billing on the table of users. */
const inBilling = (sql: string) => queries('billing', 'planted', sql);
const FOREIGN = 'billing/planted-queries.ts:2 foreign-table';

const mayUse = (may: 'read' | 'lock' | 'write', place = 'billing'): Partial<TableMap> => ({
  exceptions: [{ at: [place], may, tables: ['users'], reason: 'a reason' }],
});

const USES: readonly TableFault[] = [
  ['a room may use its own table', inBilling('delete from invoices'), {}, []],
  ["a room does not read another's table", inBilling('select id from users'), {}, [FOREIGN]],
  ['a join reads', inBilling('select 1 from invoices i join users u on u.id = i.user_id'), {}, [FOREIGN]],
  ['a sub-select reads', inBilling('select (select id from users limit 1)'), {}, [FOREIGN]],
  ['a condition reads', inBilling('delete from invoices where exists (select from users)'), {}, [FOREIGN]],
  ['an update reads the tables in its FROM', inBilling('update invoices i set id = u.id from users u'), {}, [FOREIGN]],
  [
    'a delete reads the tables in its USING',
    inBilling('delete from invoices i using users u where u.id = i.user_id'),
    {},
    [FOREIGN],
  ],
  ['the second half of a union reads', inBilling('select id from invoices union select id from users'), {}, [FOREIGN]],
  ['an inserted query reads', inBilling('insert into invoices select id from users'), {}, [FOREIGN]],
  ['a WITH query with the name of a table hides it', inBilling('with users as (select 1) select * from users'), {}, []],
  ['a WITH query cannot see itself', inBilling('with users as (select id from users) select 1'), {}, [FOREIGN]],
  [
    'a recursive WITH query can see itself',
    inBilling('with recursive users as (select 1 as n union all select n + 1 from users) select 1'),
    {},
    [],
  ],
  [
    'a WITH query of a sub-select hides nothing around it',
    inBilling('select (with users as (select 1) select 1) from users'),
    {},
    [FOREIGN],
  ],
  [
    'a schema-qualified table is not hidden',
    inBilling('with users as (select 1) select * from public.users'),
    {},
    [FOREIGN],
  ],
  [
    'a function that reads any table is found',
    inBilling(`select query_to_xml('select 1', true, true, '')`),
    {},
    [FOREIGN],
  ],
];

const EXCEPTIONS: readonly TableFault[] = [
  ['an exception lets a room read', inBilling('select id from users'), mayUse('read'), []],
  [
    'an exception may be for a file',
    inBilling('select id from users'),
    mayUse('read', 'billing/planted-queries.ts'),
    [],
  ],
  [
    'an exception applies only to its own place',
    inBilling('select id from users'),
    mayUse('read', 'billing/plans'),
    [FOREIGN, 'tools/check-rooms/table-owners.ts:1 unused-exception'],
  ],
  [
    'permission to read does not include locking',
    { ...inBilling('select id from users for update'), ...queries('billing', 'reading', 'select id from users') },
    mayUse('read'),
    [FOREIGN],
  ],
  ['permission to lock includes reading', inBilling('select id from users for share'), mayUse('lock'), []],
  [
    'FOR UPDATE OF locks the tables that it names',
    inBilling('select 1 from invoices i join users u on true for update of i'),
    mayUse('read'),
    [],
  ],
  [
    'FOR UPDATE locks the tables of a query in FROM',
    {
      ...inBilling('select 1 from (select id from users) u for update'),
      ...queries('billing', 'b', 'select from users'),
    },
    mayUse('read'),
    [FOREIGN],
  ],
  [
    'a write in a WITH query is a write',
    {
      ...inBilling('with gone as (delete from users returning id) select id from gone'),
      ...queries('billing', 'reading', 'select id from users'),
    },
    mayUse('read'),
    [FOREIGN],
  ],
  ['an exception lets a room write', inBilling('insert into users (id) values (1)'), mayUse('write'), []],
  ['an unused exception is refused', {}, mayUse('read'), ['tools/check-rooms/table-owners.ts:1 unused-exception']],
  [
    'an exception may not allow more than is used',
    inBilling('select id from users'),
    mayUse('write'),
    ['tools/check-rooms/table-owners.ts:1 unused-exception'],
  ],
  [
    'an owner needs no exception',
    {},
    mayUse('read', 'users'),
    ['tools/check-rooms/table-owners.ts:1 unused-exception'],
  ],
];

const OWNERS: readonly TableFault[] = [
  [
    'every table has an owner',
    { [MIGRATION]: `${TABLES} create table plans (id text);` },
    {},
    [`${MIGRATION}:1 table-owner`],
  ],
  [
    'a table has one owner',
    {},
    { owners: { users: ['users'], billing: ['invoices', 'users'] } },
    [`${MIGRATION}:1 table-owner`],
  ],
  [
    'an owner is a room',
    { [MIGRATION]: `${TABLES} create table plans (id text);` },
    { owners: { ...MAP.owners, sales: ['plans'] } },
    ['tools/check-rooms/table-owners.ts:1 table-owner'],
  ],
  [
    'an owned table exists',
    {},
    { owners: { ...MAP.owners, billing: ['invoices', 'plans'] } },
    ['tools/check-rooms/table-owners.ts:1 missing-table'],
  ],
  [
    'a table that a later migration drops or renames is gone',
    {
      [MIGRATION]: `${TABLES} create table plans (id text); create table bills (id text);`,
      'packages/server/migrations/0002-fewer.sql': 'drop table plans; alter table bills rename to payments;',
    },
    { owners: { ...MAP.owners, billing: ['invoices', 'payments'] } },
    [],
  ],
  [
    'SQL that runs inside the database is refused',
    { 'packages/server/migrations/0002-views.sql': 'create view all_users as select id from users;' },
    {},
    ['packages/server/migrations/0002-views.sql:1 hidden-sql'],
  ],
];

describe('between rooms and tables', () => expectEachFault(USES));

describe('exceptions for tables', () => expectEachFault(EXCEPTIONS));

describe('owners of tables', () => expectEachFault(OWNERS));
