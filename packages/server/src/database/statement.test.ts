import { describe, expect, it } from 'vitest';
import { execute, startTestApp } from '../../test/harness/index.ts';
import { arrays, count, listStatements, many, maybeOne, one, recordset, statement } from './index.ts';

const test = await startTestApp();
const { database } = test;

const echo = statement({
  name: 'test_echo',
  parameters: { word: 'text', words: 'text[]', nothing: 'integer | null', at: 'instant', tree: 'jsonb', raw: 'bytea' },
  returns: one<object>(),
  sql: ({ word, words, nothing, at, tree, raw }) =>
    `select ${word} as word, ${words} as words, ${nothing} as nothing, ${at} as at, ${tree} as tree, ${raw} as raw`,
});

const listRows = statement({
  name: 'test_list_rows',
  parameters: {
    least: 'integer',
    given: recordset({
      id: 'text',
      size: 'bigint',
      tree: 'jsonb | null',
      raw: 'bytea | null',
      at: 'timestamptz | null',
    }),
  },
  returns: many<object>(),
  sql: ({ least, given }) => `select * from ${given} where given.size >= ${least} order by given.id`,
});

const numbers = (name: string) =>
  ({
    name,
    parameters: { upTo: 'integer' },
    sql: ({ upTo }: { upTo: string }) => `select generate_series(1, ${upTo}) as n`,
  }) as const;

const PLANT_EVENTS = `insert into events (organization_id, id, type, created, object)
  select 'org_' || n % 10, n, 'test', now(), '{}' from generate_series(1, 10000) as n`;

describe('statement', () => {
  it('sends named parameters with their types', async () => {
    const at = Date.UTC(2026, 0, 31, 12, 0, 0, 250);
    const values = {
      word: 'a',
      words: ['b', 'c"'],
      nothing: null,
      at,
      tree: { d: [1, null] },
      raw: Buffer.from([0, 255]),
    };
    expect(await echo(database, values)).toEqual({ ...values, at: new Date(at) });
  });

  it('sends many rows as one parameter, missing values as null', async () => {
    const at = '2026-01-31T12:00:00.250Z';
    const given = [
      { id: 'a', size: 1, tree: null, raw: null, at: null },
      { id: 'b', size: 2 ** 40, tree: { text: 'it\'s \\ "quoted" ✓' }, raw: Buffer.from([0, 92, 255]), at },
      { id: 'c', size: 3, tree: [1], raw: null, at: new Date(at) },
    ];
    expect(await listRows(database, { least: 2, given })).toEqual([
      { ...given[1], at: new Date(at) },
      { ...given[2], at: new Date(at) },
    ]);
    expect(await listRows(database, { least: 2, given: [] })).toEqual([]);
  });

  it('sends many rows as an array per column if a statement asks for that', async () => {
    const list = statement({
      name: 'test_list_arrays',
      parameters: {
        least: 'integer',
        given: arrays({ id: 'text', at: 'timestamptz | null', tree: 'jsonb' }),
        most: 'integer',
      },
      returns: many<object>(),
      sql: ({ least, given, most }) =>
        `select given.*, ${least} + ${most} as sum, cardinality($2::text[]) as size from ${given} order by given.id`,
    });
    const given = [
      { id: 'a', at: null, tree: ['an "array"', { of: null }], other: 1 },
      { id: 'b', at: new Date('2026-01-31T12:00:00.250Z'), tree: 'text' },
    ];
    expect(await list(database, { least: 2, given, most: 3 })).toEqual([
      { id: 'a', at: null, tree: ['an "array"', { of: null }], sum: 5, size: 2 },
      { id: 'b', at: given[1]?.at, tree: 'text', sum: 5, size: 2 },
    ]);
  });

  it('is planned only once, however few values its arrays have', async () => {
    const byIds = {
      parameters: { ids: 'text[]', keys: arrays({ id: 'text', type: 'text' }) },
      returns: many<object>(),
      sql: ({ ids, keys }: { ids: string; keys: string }) => `select e.id from ${keys}
        join events e on e.organization_id = any(${ids}) and e.id = keys.id`,
    } as const;
    const list = statement({ ...byIds, name: 'test_planned_once' });
    await execute(database, PLANT_EVENTS);
    const plans = await database.transaction(async (tx) => {
      for (let call = 0; call < 10; call += 1) {
        await list(tx, { ids: ['org_1'], keys: [{ id: '1', type: 'test' }] });
      }
      return execute(tx, `select custom_plans::int from pg_prepared_statements where name = 'test_planned_once'`);
    });
    // PostgreSQL plans the first five calls for their values, and then compares plans.
    expect(plans).toEqual([{ custom_plans: 5 }]);
  });

  it('returns all rows, the first row, the only row or their count', async () => {
    const all = statement({ ...numbers('test_many'), returns: many<{ n: number }>() });
    const first = statement({ ...numbers('test_maybe_one'), returns: maybeOne<{ n: number }>() });
    const only = statement({ ...numbers('test_one'), returns: one<{ n: number }>() });
    const counted = statement({ ...numbers('test_count'), returns: count() });
    expect(await all(database, { upTo: 2 })).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await first(database, { upTo: 2 })).toEqual({ n: 1 });
    expect(await first(database, { upTo: 0 })).toBeUndefined();
    expect(await only(database, { upTo: 1 })).toEqual({ n: 1 });
    await expect(only(database, { upTo: 2 })).rejects.toThrow('returned 2');
    expect(await counted(database, { upTo: 3 })).toBe(3);
  });

  it("returns the statement's mapping of each row", async () => {
    const square = ({ n }: { n: number }) => n * n;
    const all = statement({ ...numbers('test_many_converted'), returns: many(square) });
    const first = statement({ ...numbers('test_maybe_one_converted'), returns: maybeOne(square) });
    const only = statement({ ...numbers('test_one_converted'), returns: one(square) });
    expect(await all(database, { upTo: 3 })).toEqual([1, 4, 9]);
    expect(await first(database, { upTo: 3 })).toBe(1);
    expect(await first(database, { upTo: 0 })).toBeUndefined();
    expect(await only(database, { upTo: 1 })).toBe(1);
  });

  it('runs in the given transaction', async () => {
    const transactionId = statement({
      name: 'test_transaction_id',
      returns: one<{ id: string }>(),
      sql: () => 'select pg_current_xact_id()::text as id',
    });
    const [first, second] = await database.transaction(async (tx) => [
      await transactionId(tx),
      await transactionId(tx),
    ]);
    expect(second).toEqual(first);
    expect(await transactionId(database)).not.toEqual(first);
  });

  it('refuses a parameter that its text does not use', () => {
    const careless = { name: 'test_careless', parameters: { used: 'text', unused: 'text' } } as const;
    expect(() => statement({ ...careless, sql: ({ used }) => `select ${used}` })).toThrow(
      'does not use its parameter unused',
    );
  });

  it('refuses two texts under one name', () => {
    statement({ name: 'test_twice', sql: () => 'select 1' });
    expect(() => statement({ name: 'test_twice', sql: () => 'select 2' })).toThrow(
      'two statements are named test_twice',
    );
    expect(listStatements()).toContainEqual({ name: 'test_twice', text: 'select 1' });
  });
});
