import type pg from 'pg';
import { keepMasterKey } from '../packages/server/src/security/index.ts';
import { type Bench, type BenchOptions, type Figure, inRounds, makeFigure } from './rig/figure.ts';
import { type Databases, withDatabases } from './rig/postgres.ts';
import { QueueProgram } from './rig/queue-program.ts';
import { onDatabase, storeEndpoints, storeOrganizations, storeWaitingEvents } from './rig/stored-webhooks.ts';
import type { QueueSettings } from './rig/webhook-orders.ts';
import { type WebhookReceiver, withReceivers } from './rig/webhook-receiver.ts';

const ENDPOINTS = 16;
const KINDS = ['ours-to-receiver', 'ours-without-http', 'pg-boss', 'graphile-worker'] as const;

/**
 * As many trivial jobs in general queues as deliveries in ours, each queue in its own process and database of one PostgreSQL. Only
 * to compare: a delivery is written three times and a trivial job once or twice.
 */
export const queues: Bench = {
  name: 'queues',
  measure: (options) =>
    withReceivers(({ receiver }) => withDatabases((databases) => measureQueues(options, databases, receiver))),
};

async function measureQueues(
  options: BenchOptions,
  databases: Databases,
  receiver: WebhookReceiver,
): Promise<Figure[]> {
  const { first, second, dataDir } = databases;
  const sending = await announcer(first, dataDir, receiver);
  const silent = await announcer(second, dataDir, receiver);
  const urls = {
    'ours-to-receiver': first,
    'ours-without-http': second,
    'pg-boss': await createDatabase(first, 'bench_pg_boss'),
    'graphile-worker': await createDatabase(first, 'bench_graphile_worker'),
  };
  const programs = new Map<QueueSettings['kind'], QueueProgram>();
  try {
    for (const kind of KINDS) {
      programs.set(kind, new QueueProgram({ kind, databaseUrl: urls[kind], dataDir, ca: receiver.ca }));
    }
    const run = async (kind: QueueSettings['kind']) => (await programs.get(kind)?.run({ jobs: options.jobs })) ?? 0;
    const rounds = await inRounds(options, async () => {
      await sending(options.jobs);
      const sent = await run('ours-to-receiver');
      await silent(options.jobs);
      const unsent = await run('ours-without-http');
      return { sent, unsent, boss: await run('pg-boss'), graphile: await run('graphile-worker') };
    });
    return COMPARED.map(({ name, ours, limit, limitIs }) =>
      makeFigure(
        { name, unit: '/s', limitIs, bar: undefined, notes: limit === 'boss' ? NOTES : [] },
        rounds.map((round) => ({ ours: round[ours], limit: round[limit] })),
      ),
    );
  } finally {
    await Promise.all([...programs.values()].map((program) => program.stop()));
  }
}

const SENT = 'events to answered deliveries';
const UNSENT = 'deliveries claimed and written';
const COMPARED = [
  { name: SENT, ours: 'sent', limit: 'boss', limitIs: 'pg-boss, trivial jobs' },
  { name: SENT, ours: 'sent', limit: 'graphile', limitIs: 'graphile-worker, trivial jobs' },
  { name: UNSENT, ours: 'unsent', limit: 'boss', limitIs: 'pg-boss, trivial jobs' },
  { name: UNSENT, ours: 'unsent', limit: 'graphile', limitIs: 'graphile-worker, trivial jobs' },
] as const;
const NOTES = ['the jobs were stored, and where nothing is sent the events fanned out, before the clock started'];

/** Prepares endpoints of as many organizations; what comes back announces so many events for them. */
async function announcer(
  url: string,
  dataDir: string,
  receiver: WebhookReceiver,
): Promise<(count: number) => Promise<void>> {
  const masterKey = await keepMasterKey(undefined, dataDir);
  const organizations = await onDatabase(url, async (client) => {
    const ids = await storeOrganizations(client, ENDPOINTS);
    const wanted = ids.map((organizationId) => ({ organizationId, url: `https://localhost:${receiver.port}/hook` }));
    await storeEndpoints(client, masterKey, wanted);
    return ids;
  });
  return (count) =>
    onDatabase(url, async (client) => {
      await storeWaitingEvents(client, organizations, count);
    });
}

async function createDatabase(url: string, name: string): Promise<string> {
  await onDatabase(url, (client: pg.Client) => client.query(`create database ${name}`));
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}
