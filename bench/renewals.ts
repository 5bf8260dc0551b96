import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDefaultCatalogue } from '../packages/server/src/billing/index.ts';
import { Database } from '../packages/server/src/database/index.ts';
import { type Bench, type BenchOptions, type Figure, inRounds, makeFigure } from './rig/figure.ts';
import { LineProgram } from './rig/line-program.ts';
import { findPgbench, runPgbench } from './rig/pgbench.ts';
import { type Databases, withDatabases } from './rig/postgres.ts';
import { processorMs } from './rig/processor-time.ts';
import { type RecordedStatement, record } from './rig/record-statements.ts';
import { writeRenewalScript } from './rig/renewal-script.ts';
import { openRenewals } from './rig/selling.ts';
import { type StoredSales, storeSales } from './rig/stored-sales.ts';
import { settle } from './rig/stored-seats.ts';
import { onDatabase } from './rig/stored-webhooks.ts';

/**
 * Renewals by the service's own job, from the due subscription to the paid invoice, its license and its receipt, the charges to
 * the test provider included; against the very statements of them by pgbench, on as many connections as it works on at the same time.
 */
export const renewals: Bench = {
  name: 'renewals',
  measure: async (options) => [
    await withDatabases((databases) => measureKind(options, databases, MANY)),
    await withDatabases((databases) => measureKind(options, databases, ONE)),
  ],
};

/** Who has the subscriptions, and what pgbench does the same on. */
interface Kind {
  name: string;
  ours: Omit<StoredSales, 'from'>;
  /** Of each of pgbench's organizations: as many as the service renews in one transaction. */
  portion: number;
  /** As many connections as the service works on at the same time. */
  clients: number;
}

const MANY: Kind = {
  name: 'renewals, 2 in each organization',
  ours: { organizations: 150, subscriptions: 2 },
  portion: 2,
  clients: 4,
};
const ONE: Kind = {
  name: 'renewals, one organization',
  ours: { organizations: 1, subscriptions: 3_000 },
  portion: 50,
  clients: 8,
};
const PGBENCH_ORGANIZATIONS = 200;

async function measureKind(options: BenchOptions, { first, second, dataDir }: Databases, kind: Kind): Promise<Figure> {
  await storeIn(first, { from: 1, ...kind.ours });
  const script = await prepareScript(second, dataDir, kind);
  const settings = JSON.stringify({ databaseUrl: first, dataDir });
  const program = new LineProgram('contender', new URL('./programs/renewals.ts', import.meta.url), [settings]);
  try {
    const spent = { ms: 0, renewals: 0 };
    const rounds = await inRounds(options, async () => {
      const before = { ms: processorMs(program.pid), paid: await countPaid(first) };
      const tookSeconds = Number(await program.ask(String(options.seconds)));
      const paid = (await countPaid(first)) - before.paid;
      spent.ms += processorMs(program.pid) - before.ms;
      spent.renewals += paid;
      return { ours: paid / tookSeconds, limit: (await script.run(options.seconds)) * kind.portion };
    });
    const each = (script.statements / kind.portion).toFixed(1);
    const notes = [
      `${script.statements} statements for ${kind.portion} renewals, ${each} each; pgbench with ${kind.clients} clients`,
      `Node.js spends ${(spent.ms / spent.renewals).toFixed(1)} ms of processor time on a renewal`,
    ];
    return makeFigure({ name: kind.name, unit: '/s', limitIs: 'their statements by pgbench', bar: 0.5, notes }, rounds);
  } finally {
    await program.stop();
  }
}

async function storeIn(databaseUrl: string, sales: StoredSales): Promise<void> {
  const database = new Database(databaseUrl, { connections: 1, maxWaiting: 10 }, () => undefined);
  await ensureDefaultCatalogue(database);
  await database.close();
  await onDatabase(databaseUrl, (client) => storeSales(client, sales));
  await settle(databaseUrl);
}

/** Records one portion of renewals and stores the organizations on which pgbench does it again. */
async function prepareScript(databaseUrl: string, dataDir: string, { portion, clients }: Kind) {
  const recorded = PGBENCH_ORGANIZATIONS + 1;
  await storeIn(databaseUrl, { from: recorded, organizations: 1, subscriptions: portion });
  const statements = await recordPortion(databaseUrl, dataDir, portion);
  await storeIn(databaseUrl, { from: 1, organizations: PGBENCH_ORGANIZATIONS, subscriptions: portion });
  const file = join(dataDir, 'renewals.pgbench');
  await writeFile(file, writeRenewalScript(statements, recorded, { clients, organizations: PGBENCH_ORGANIZATIONS }));
  const pgbench = findPgbench();
  let runs = 0;
  return {
    statements: statements.length,
    run: (seconds: number) => {
      runs += 1;
      return runPgbench(pgbench, file, databaseUrl, {
        seconds,
        clients,
        variables: { turn: 0, base: runs * NAMES_OF_A_RUN },
      });
    },
  };
}

/** What one run of pgbench makes is never named as what another made. */
const NAMES_OF_A_RUN = 1_000_000;

/** What the service sends from the lock of the account to the last commit. That the organization is due is found out once for many. */
async function recordPortion(databaseUrl: string, dataDir: string, portion: number): Promise<RecordedStatement[]> {
  const database = new Database(databaseUrl, { connections: 16, maxWaiting: 100 }, () => undefined);
  const recording: RecordedStatement[] = [];
  const { job, close } = await openRenewals(record(database, recording), dataDir);
  try {
    // The second run is recorded: the first also writes what is written once, such as the count of mails to a
    // recipient.
    await job.run();
    recording.length = 0;
    await job.run();
  } finally {
    await close();
    await database.close();
  }
  const ends = [
    recording.findIndex(({ text }) => text === 'begin'),
    recording.findLastIndex(({ text }) => text === 'commit'),
  ] as const;
  const statements = recording.slice(ends[0], ends[1] + 1);
  const charges = statements.filter(({ text }) => text.startsWith('insert into test_charges')).length;
  if (charges !== portion) {
    throw new Error(`${charges} renewals were recorded, not ${portion}`);
  }
  return statements;
}

async function countPaid(databaseUrl: string): Promise<number> {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>("select count(*) from invoices where status = 'paid'");
    return Number(rows[0]?.count);
  });
}
