import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { loadStatements } from '../../../../tools/check-rooms/load-statements.ts';
import { readSourceFiles } from '../../../../tools/check-rooms/source-files.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/index.ts';
import { migrate } from '../../src/database/index.ts';
import { chooseTables, DISTRIBUTED_BY, type Placement } from './choose-tables.ts';
import { type Outcome, replayStatements, type Statement } from './replay-statements.ts';
import { type Fault, faultsOf } from './statement-rules.ts';

// `npm run test:citus` reports which tables could be divided among machines by organization, and which statements
// prevent it by their text. With CITUS_URL, the URL of an empty database of a Citus coordinator, it divides the tables
// there and replays every statement. It needs no data.

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

async function main(citusUrl: string | undefined): Promise<number> {
  const { statements, violations } = await loadStatements(ROOT, readSourceFiles(ROOT));
  if (violations.length > 0) {
    throw new Error(`the statements could not be loaded: ${JSON.stringify(violations)}`);
  }
  return citusUrl === undefined
    ? withScratch((url) => judge(url, statements))
    : withClient(citusUrl, (client) => runDivided(client, citusUrl, statements));
}

/** Judges by the schema and the texts alone. Also checks that each statement can be replayed at all. */
async function judge(url: string, statements: readonly Statement[]): Promise<number> {
  await migrate(url);
  return withClient(url, async (client) => {
    const placements = await chooseTables(client);
    report(placements);
    const found = new Map<Fault, Set<string>>();
    for (const { name, text } of statements) {
      for (const fault of faultsOf(text, placements)) {
        found.set(fault, (found.get(fault) ?? new Set()).add(name));
      }
    }
    const all = new Set([...found.values()].flatMap((names) => [...names]));
    console.log(`\n${all.size} of ${new Set(statements.map(({ name }) => name)).size} statements cannot be divided:`);
    for (const [fault, names] of found) {
      console.log(`\n${MEANINGS[fault]} (${names.size})\n  ${[...names].join('\n  ')}`);
    }
    const failed = failuresIn(await replayStatements(client, statements));
    console.log(
      `\nReplayed on PostgreSQL without Citus: ${statements.length - failed.length} of ${statements.length} texts ran.`,
    );
    return printFailures(failed);
  });
}

/**
 * Runs on a real Citus: first undivided, then with its tables divided. Only failures that the division causes are
 * reported.
 */
async function runDivided(client: pg.ClientBase, url: string, statements: readonly Statement[]): Promise<number> {
  const { rows } = await client.query(
    "select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  if (rows.length > 0) {
    throw new Error('CITUS_URL names a database with tables. Use an empty one');
  }
  await client.query('create extension if not exists citus');
  await migrate(url);
  const before = failuresIn(await replayStatements(client, statements));
  const placements = await chooseTables(client);
  report(placements);
  const refused = await divide(client, placements);
  const after = failuresIn(await replayStatements(client, statements));
  const known = new Set(before.map(([name]) => name));
  const failed = after.filter(([name]) => !known.has(name));
  console.log(
    `\n${refused} tables were refused. ${failed.length} of ${statements.length} statements fail once divided:`,
  );
  printFailures(failed);
  return 0;
}

/** Reference tables first, because others reference them. Returns how many tables Citus refused. */
async function divide(client: pg.ClientBase, placements: ReadonlyMap<string, Placement>): Promise<number> {
  let refused = 0;
  for (const kind of ['reference', 'distributed'] as const) {
    const create =
      kind === 'reference'
        ? 'select create_reference_table($1::regclass)'
        : `select create_distributed_table($1::regclass, '${DISTRIBUTED_BY}')`;
    for (const [table] of [...placements].filter(([, placement]) => placement.kind === kind)) {
      try {
        await client.query(create, [table]);
      } catch (error) {
        refused += 1;
        console.log(`refused: ${table}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return refused;
}

const MEANINGS: Readonly<Record<Fault, string>> = {
  'volatile-in-write': 'reads a clock in an update, a deletion, a conflict or RETURNING',
  'locks-several': 'locks rows without naming one organization',
  'lateral-limit': 'uses LATERAL with LIMIT',
  'join-without-column': 'joins divided tables without organization_id',
};

function report(placements: ReadonlyMap<string, Placement>): void {
  for (const [kind, tables] of Map.groupBy(placements, ([, placement]) => placement.kind)) {
    const lines = tables.map(([table, placement]) =>
      placement.kind === 'local' ? `${table}: ${placement.reason}` : table,
    );
    console.log(`\n${kind} (${tables.length})\n  ${lines.join('\n  ')}`);
  }
}

function failuresIn(outcomes: ReadonlyMap<string, Outcome>): Array<[string, string]> {
  return [...outcomes].flatMap(([name, message]) => (message === undefined ? [] : [[name, message]]));
}

function printFailures(failed: ReadonlyArray<readonly [string, string]>): number {
  for (const [name, message] of failed) {
    console.log(`  ${name}: ${message}`);
  }
  return failed.length === 0 ? 0 : 1;
}

async function withScratch<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-citus-'));
  const options = { databases: ['citus'], isDurable: false, log: () => undefined };
  const postgres = await startEmbeddedPostgres({ ...options, dataDir: folder });
  try {
    return await work(postgres.urlOf('citus'));
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

process.exitCode = await main(process.env.CITUS_URL);
