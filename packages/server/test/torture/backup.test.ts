import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabases, Database, joinDatabases } from '../../src/database/index.ts';
import { PATIENCE_MS } from '../harness/clone-database.ts';
import { execute } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { HttpsClient } from './https-client.ts';
import { portionOf } from './scale.ts';
import { endServers, readAuthority, type ServerProcess, serverSettings, startServer } from './server-process.ts';
import { issueLicenses, type Person, signUp } from './world.ts';

const LAUNCHER = createRequire(import.meta.url).resolve('seathold/bin/seathold.js');
const ROUNDS = portionOf(1, 20);
const WRITERS = 4;

let folder: string;
let settings: Record<string, string>;
let server: ServerProcess;
let client: HttpsClient;
/** Everything acknowledged so far. It must be in every backup that starts later. */
const sessions: Array<{ id: string; token: string }> = [];
const subscriptions: string[] = [];
const startedAt = new Date().toISOString();
let isWriting = true;
let writers: Promise<unknown>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seathold-backup-'));
  settings = await serverSettings({ SEATHOLD_DATA_DIR: join(folder, 'data'), SEATHOLD_SESSION_TIMEOUT: '3600' });
  server = await startServer(settings);
  client = new HttpsClient([await readAuthority(server.dataDir)]);
  const sandboxUrl = `https://127.0.0.1:${settings.SEATHOLD_SANDBOX_PORT}`;
  const plans = await client.call('GET', `${sandboxUrl}/v1/plans`);
  const all = plans.kind === 'answer' ? plans.body.data : [];
  const plan = all.find(({ name }: { name: string }) => name === 'Pro').id;
  writers = Promise.all(
    Array.from({ length: WRITERS }, async (_, at) => {
      const [here, there] = [
        await signUp(client, server.baseUrl, `writer-${at}`),
        await signUp(client, sandboxUrl, `buyer-${at}`),
      ];
      await Promise.all([takeSeats(here, await issueTo(here)), buy(sandboxUrl, there, plan)]);
    }),
  );
});
afterAll(async () => {
  isWriting = false;
  await writers;
  await client.close();
  await endServers();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function issueTo({ organizationId }: Person): Promise<string> {
  const urls = await joinDatabases(embedded(server.dataDir), () => undefined);
  const database = open(urls.production);
  try {
    const [license] = await issueLicenses(database, organizationId, [10_000]);
    return license?.key ?? '';
  } finally {
    await database.close();
  }
}

async function takeSeats({ token }: Person, key: string): Promise<void> {
  while (isWriting) {
    const hardwareId = `hw_${randomInt(2 ** 40)
      .toString(16)
      .padStart(32, '0')}`;
    const body = { license_key: key, hardware_id: hardwareId };
    const taken = await client.call('POST', `${server.baseUrl}/v1/licenses/acquire`, { token }, body);
    if (taken.kind === 'answer' && taken.status === 201) {
      sessions.push({ id: taken.body.data.session_id, token });
    }
    await sleep(20);
  }
}

async function buy(baseUrl: string, { token }: Person, plan: string): Promise<void> {
  for (let count = 0; isWriting && count < 15 * ROUNDS; count += 1) {
    const body = { plan_id: plan, quantity: 1, payment_method_id: 'pm_card_visa' };
    const bought = await client.call('POST', `${baseUrl}/v1/subscriptions`, { token }, body);
    if (bought.kind === 'answer' && bought.status === 201) {
      subscriptions.push(bought.body.data.id);
    }
    await sleep(200);
  }
}

const embedded = (dataDir: string) => ({
  dataDir,
  sandbox: true,
  databaseUrl: undefined,
  sandboxDatabaseUrl: undefined,
});

function open(url: string): Database {
  return new Database(url, { connections: 2, maxWaiting: 10, patienceMs: PATIENCE_MS }, () => undefined);
}

/** Runs the command like an operator. With `killAfterMs`, kills it at some moment before that. */
async function run(
  words: readonly string[],
  { dataDir = server.dataDir, killAfterMs, into }: { dataDir?: string; killAfterMs?: number; into?: string } = {},
) {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings, SEATHOLD_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [LAUNCHER, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let answer = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'close');
  const read = (text: string) => {
    answer += text;
  };
  const written =
    into === undefined
      ? child.stdout.setEncoding('utf8').on('data', read)
      : pipeline(child.stdout, createWriteStream(into));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), randomInt(killAfterMs));
  const [code] = await ended;
  clearTimeout(timer);
  await written;
  return { code, output, answer };
}

/** Makes a backup under load, as a folder or a tar file, which must have everything acknowledged before. */
async function backUp(name: string, isTar: boolean): Promise<string> {
  const path = join(folder, name);
  const made = await run(['backup', 'create', isTar ? '-' : path], isTar ? { into: path } : {});
  expect(made).toMatchObject({ code: 0 });
  return path;
}

async function requireAnswered(dataDir: string, sessionIds: readonly string[], subscriptionIds: readonly string[]) {
  const urls = await connectDatabases(embedded(dataDir), { report: () => undefined });
  const [production, sandbox] = [open(urls.production), open(urls.sandbox ?? '')];
  try {
    const missing = async (database: Database, known: string, ids: readonly string[]) =>
      execute(database, `select id from unnest($1::text[]) as id where id not in (${known})`, [ids]);
    const seats = 'select session_id from seat_slots where session_id is not null union select id from seat_sessions';
    expect(await missing(production, seats, sessionIds)).toEqual([]);
    expect(await missing(sandbox, 'select id from subscriptions', subscriptionIds)).toEqual([]);
    await requireInvariants(production);
    await requireInvariants(sandbox);
  } finally {
    await production.close();
    await sandbox.close();
    await urls.close();
  }
}

/** Each payment in the restored copy is known to its provider, and vice versa. */
async function requireReconciled(dataDir: string): Promise<void> {
  const words = ['payments', 'reconcile', '--sandbox', '--since', startedAt, '--json'];
  const { code, answer, output } = await run(words, { dataDir });
  expect(code, output).toBe(0);
  const { counts, findings } = JSON.parse(answer);
  expect(counts, JSON.stringify(findings)).toMatchObject({ orphaned: 0, disagreeing: 0, missing: 0, foreign: 0 });
  expect(counts.examined).toBeGreaterThan(0);
}

it(`${ROUNDS} backups under load, through kills, each contain everything acknowledged before`, async () => {
  await expect.poll(() => Math.min(sessions.length / 10, subscriptions.length)).toBeGreaterThan(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    // A killed `backup create` leaves nothing under its name.
    const killed = join(folder, `killed-${round}`);
    const { code } = await run(['backup', 'create', killed], { killAfterMs: 2_000 });
    expect(code === 0 || !(await readdir(folder)).includes(`killed-${round}`)).toBe(true);

    const [sessionIds, subscriptionIds] = [sessions.map(({ id }) => id), [...subscriptions]];
    const source = await backUp(`backup-${round}`, round % 2 === 1);
    const words = ['restore', source, '--master-key-file', join(server.dataDir, 'master.key')];
    const dataDir = join(folder, `restored-${round}`);
    // A killed restore can be repeated, unless it was already done.
    const first = await run(words, { dataDir, killAfterMs: 4_000 });
    const second = await run(words, { dataDir });
    expect([first.code, second.code]).toEqual(first.code === 0 ? [0, 5] : [null, 0]);
    await requireAnswered(dataDir, sessionIds, subscriptionIds);
    await requireReconciled(dataDir);
    expect((await run(['backup', 'verify', source])).code).toBe(0);
    await rm(source, { recursive: true });
    if (round < ROUNDS - 1) {
      await rm(dataDir, { recursive: true });
    }
  }
});

it('a service that starts on a restored backup has every seat where it was, however long it was down', async () => {
  const restored = await startServer({
    ...(await serverSettings({ SEATHOLD_SESSION_TIMEOUT: '3600' })),
    SEATHOLD_DATA_DIR: join(folder, `restored-${ROUNDS - 1}`),
  });
  const other = new HttpsClient([await readAuthority(restored.dataDir)]);
  const [seat] = sessions;
  const beat = await other.call(
    'POST',
    `${restored.baseUrl}/v1/licenses/heartbeat`,
    { token: seat?.token },
    {
      session_id: seat?.id,
    },
  );
  expect(beat).toMatchObject({ kind: 'answer', status: 200 });
  expect(server.faults).toEqual([]);
  expect(restored.faults).toEqual([]);
  await other.close();
});
