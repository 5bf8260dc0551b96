import pg from 'pg';
import { expect } from 'vitest';
import { createTest } from '../harness/fixtures.ts';
import { execute, type TestApp } from '../harness/index.ts';
import { findPlanFaults } from '../plans/judge-plan.ts';
import { type RecordedStatement, StatementRecorder } from '../plans/record-statements.ts';
import { scaled } from '../torture/scale.ts';
import { type Measured, measureStatement } from './measure-statement.ts';
import { BUSIEST_ORGANIZATION, BUSIEST_USER, OLD_TABLES, seedOldRows } from './seed-old-rows.ts';

/** Per table. A million in the long run with SEATHOLD_SOAK=1. */
const ROWS = scaled(50_000, 1_000_000);
/** The largest portion of a job, doubled for the rows that it examines. */
const MOST_ROWS = 4_000;
/**
 * Pages of 8 KiB: each row of a portion is found by an index, read, found once more by its key, and reinserted into the
 * indexes.
 */
const MOST_PAGES = 40_000;
let recorder: StatementRecorder;
let tableRows: ReadonlyMap<string, number>;

const it = createTest({ environment: 'sandbox', hasInventedEvents: true })
  .extend('client', { scope: 'file' }, ({ app }) => new pg.Client({ connectionString: app.databaseUrl }))
  /** What a statement does that gets slower as the tables grow. */
  .extend('faultsOf', ({ client }) => async (statement: RecordedStatement): Promise<string[]> => {
    const faults: string[] = [];
    for (const kind of ['custom', 'generic'] as const) {
      const measured = await measureStatement(client, statement, kind);
      faults.push(...judge(measured).map((fault) => `${statement.cause}, ${kind} plan: ${fault}\n${statement.text}`));
    }
    return faults;
  })
  .extend('faultsOfAll', ({ faultsOf }) => async (statements: readonly RecordedStatement[]): Promise<string> => {
    const faults: string[] = [];
    for (const statement of statements) {
      faults.push(...(await faultsOf(statement)));
    }
    return faults.join('\n\n');
  });
it.beforeAll(async ({ app, client }) => {
  await client.connect();
  await seedOldRows(client, ROWS);
  const counted = await execute<{ relname: string; rows: number }>(
    app.database,
    "select relname, reltuples::float8 as rows from pg_class where relkind = 'r'",
  );
  tableRows = new Map(counted.map((row) => [row.relname, row.rows]));
  recorder = new StatementRecorder();
});
it.afterAll(async ({ client }) => {
  recorder.stop();
  await client.end();
});

/** Runs each job once, for one bounded portion, and returns the statements. */
async function record(app: TestApp, isWanted: (name: string) => boolean): Promise<RecordedStatement[]> {
  recorder.statements.clear();
  for (const { name, run } of app.service.jobs.filter((job) => isWanted(job.name))) {
    await recorder.during(`the job ${name}`, () => run());
  }
  return [...recorder.statements.values()].filter(({ text }) => !/^(set|savepoint|release)\b/.test(text));
}

function judge({ plan, pages, scanned, fetched }: Measured): string[] {
  const rowsOf = (table: string) => tableRows.get(table) ?? 0;
  const faults = findPlanFaults(plan, rowsOf, MOST_ROWS);
  for (const [table, rows] of scanned) {
    if (rows > MOST_ROWS) {
      faults.push(`reads ${rows} rows of ${table} by scanning it`);
    }
  }
  for (const [table, rows] of fetched) {
    if (rows > MOST_ROWS) {
      faults.push(`reads ${rows} rows of ${table} through indexes`);
    }
  }
  if (pages > MOST_PAGES) {
    faults.push(`reads ${pages} pages`);
  }
  return faults;
}

/** The tables that these statements delete from. */
function deletedFrom(statements: readonly RecordedStatement[]): string[] {
  return statements.flatMap(({ text }) => [...text.matchAll(/delete from (\w+)/g)].map(([, table]) => table ?? ''));
}

it('every growing table has its rows', () => {
  const sizes = OLD_TABLES.map(({ table }) => [table, (tableRows.get(table) ?? 0) >= ROWS * 0.99]);
  expect(sizes.filter(([, isFull]) => !isFull)).toEqual([]);
});

it('the jobs that delete expired rows use an index and read a bounded number of rows', async ({ app, faultsOfAll }) => {
  const statements = await record(app, (name) => name.includes('.delete-') && name !== 'organizations.delete-erased');
  // None of these rows has expired: they are deleted with their organization.
  const kept = new Set(['billing_credit_entries', 'test_charges']);
  const wanted = OLD_TABLES.map(({ table }) => table).filter((table) => !kept.has(table));
  expect(wanted.filter((table) => !deletedFrom(statements).includes(table))).toEqual([]);
  expect(await faultsOfAll(statements)).toBe('');
});

it('erasing a deleted account uses an index and reads a bounded number of rows', async ({ app, faultsOfAll }) => {
  const end = `update users set email = id, erased_email = email, deleted_at = clock_timestamp() where id = $1`;
  await execute(app.database, end, [BUSIEST_USER]);
  const statements = await record(app, (name) => name === 'auth.erase-users');
  expect(deletedFrom(statements)).toEqual(expect.arrayContaining(['bearer_tokens', 'login_sessions', 'invitations']));
  expect(await faultsOfAll(statements)).toBe('');
});

it('erasing a deleted organization uses an index and reads a bounded number of rows', async ({ app, faultsOfAll }) => {
  const end = 'update organizations set deleted_at = clock_timestamp() where id = $1';
  await execute(app.database, end, [BUSIEST_ORGANIZATION]);
  const statements = await record(app, (name) => name === 'organizations.erase-deleted');
  expect(await faultsOfAll(statements)).toBe('');
});
