import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identitiesForRoot, spawnAs, tryIdentity } from './choose-identity.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts';
import { copyBinaries, locateInstalledBinaries } from './locate-binaries.ts';
import { lockFolder } from './lock-folder.ts';
import { findPostgresIn, identifyProcess, waitUntilGone } from './process-table.ts';

const isRoot = process.getuid?.() === 0;
const frontDoor = new URL('./index.ts', import.meta.url).href;

let dataDir: string;
let running: EmbeddedPostgres[];
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'seathold-pg-'));
  running = [];
  children = [];
});

afterEach(async () => {
  await Promise.all(running.map((postgres) => postgres.stop()));
  for (const child of children) child.kill('SIGKILL');
  for (const pid of await findPostgresIn(join(dataDir, 'postgres'))) process.kill(pid, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    databases: ['production', 'sandbox'],
    log: () => {},
  });
  running.push(postgres);
  return postgres;
}

async function query(postgres: EmbeddedPostgres, sql: string, database = 'production'): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.urlOf(database) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Another service process on the folder. Resolves with the line it prints: the postmaster's pid or the error. */
async function startInAnotherProcess(folder: string, identity: { uid?: number; gid?: number } = {}) {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(frontDoor)});
    const options = { dataDir: ${JSON.stringify(folder)}, databases: ['production'], log: () => {} };
    await startEmbeddedPostgres(options).then((p) => console.log(p.pid), (e) => console.log(e.message));
    setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script];
  const child = spawn(process.execPath, args, { ...identity, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (child.stdout === null) throw new Error('no output');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, line: String(line) };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('embedded PostgreSQL:', () => {
  test('the first start creates a durable UTF-8 cluster with its databases, and stop leaves nothing running', async () => {
    const postgres = await start();
    const settings =
      "select current_setting(n) from unnest('{fsync,synchronous_commit,timezone,server_encoding}'::text[]) n";
    expect(await query(postgres, settings)).toEqual(['on', 'on', 'UTC', 'UTF8']);
    expect(await query(postgres, "select upper('über ñ')", 'sandbox')).toEqual(['ÜBER Ñ']);
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    const { pid } = postgres;
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(await identifyProcess(pid)).toBeUndefined();
    expect(await readdir(dataDir)).not.toContain('seathold.lock');
  });

  test('a restart keeps the data, and stop ends open connections', async () => {
    const first = await start();
    await query(first, 'create table t as select 42 as n');
    const client = new pg.Client({ connectionString: first.urlOf('production') });
    const ends: unknown[] = [];
    client.on('error', (error) => ends.push('code' in error ? error.code : error.message));
    await client.connect();
    await first.stop();
    // PostgreSQL ended the connection itself (admin_shutdown). A shutdown that waits for clients would wait forever.
    await expect.poll(() => ends).toContain('57P01');
    expect(await query(await start(), 'select n from t')).toEqual([42]);
  });

  test('a killed postmaster is restarted with all committed data, whether backends are busy or not', async () => {
    const postgres = await start();
    await query(postgres, 'create table t (n int)');
    await query(postgres, 'insert into t select generate_series(1, 1000)');
    const busy = query(postgres, 'select count(*) from generate_series(1, 1000000000)').catch(() => 'cut');
    const { pid } = postgres;
    const exits: string[] = [];
    const back = new Promise<void>((resolve) => {
      postgres.onExit((reason) => {
        exits.push(reason);
        resolve();
      });
    });
    process.kill(pid, 'SIGKILL');
    await back;
    expect(exits).toEqual(['signal SIGKILL']);
    await expect.poll(() => query(postgres, 'select count(*)::int from t').catch(() => [])).toEqual([1000]);
    expect(postgres.pid).not.toBe(pid);
    expect(await busy).toBe('cut');
  });

  test('stop during a restart leaves nothing running', async () => {
    const postgres = await start();
    process.kill(postgres.pid, 'SIGKILL');
    await new Promise<void>((resolve) => postgres.onExit(() => resolve()));
    await postgres.stop();
    expect(await findPostgresIn(join(dataDir, 'postgres'))).toEqual([]);
  });

  test('a second process is refused with the folder and the pid, and the PostgreSQL of a killed one is stopped', async () => {
    const { child, line } = await startInAnotherProcess(dataDir);
    await expect(start()).rejects.toThrow(
      `The data folder ${dataDir} is already in use by another Seathold process (pid ${child.pid}).`,
    );
    await killed(child);
    expect(await identifyProcess(Number(line))).toBeDefined();
    const postgres = await start();
    expect(await identifyProcess(Number(line))).toBeUndefined();
    expect(await query(postgres, 'select 1')).toEqual([1]);
  });

  test('a lock whose pid now belongs to another process, and a stale postmaster.pid, do not prevent a start', async () => {
    const first = await start();
    await first.stop();
    await writeFile(join(dataDir, 'seathold.lock'), `${process.pid} another-boot/1\n`);
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${process.ppid}\n/elsewhere\n`);
    expect(await query(await start(), 'select 1')).toEqual([1]);
  });

  test('only one of many processes that find a stale lock at the same time gets the folder', async () => {
    await writeFile(join(dataDir, 'seathold.lock'), '999999999 never\n');
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(dataDir)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a start killed during initdb is repaired by the next start', async () => {
    const starting = startInAnotherProcess(dataDir);
    starting.catch(() => undefined);
    await expect
      .poll(() => readdir(dataDir), { interval: 5 })
      .toContainEqual(expect.stringMatching(/^postgres\.unfin/));
    await expect.poll(async () => (await readdir(dataDir)).includes('postgres-password'), { interval: 5 }).toBe(true);
    for (const child of children) await killed(child);
    expect(await readdir(dataDir)).not.toContain('postgres');
    expect(await query(await start(), 'select 1')).toEqual([1]);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.unfinished'))).toEqual([]);
  });

  test('a folder with a path too long for a socket is served on loopback', async () => {
    const long = join(dataDir, 'x'.repeat(100));
    const postgres = await start(long);
    expect(postgres.urlOf('production')).toMatch(/@127\.0\.0\.1:\d+\/production$/);
    expect(await query(postgres, 'select 1')).toEqual([1]);
  });

  test('a cluster that cannot start reports the reason and releases the folder', async () => {
    const first = await start();
    await first.stop();
    await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'max_connections = none');
    await expect(start()).rejects.toThrow(/did not start[\s\S]*max_connections/);
    expect(await readdir(dataDir)).not.toContain('seathold.lock');
  });
});

describe.runIf(isRoot)('embedded PostgreSQL as root:', () => {
  test('an ordinary user can start it too', async () => {
    await chown(dataDir, 65534, 65534);
    const { child, line } = await startInAnotherProcess(dataDir, { uid: 65534, gid: 65534 });
    expect(Number(line)).toBeGreaterThan(0);
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(65534);
    await killed(child);
    // Root then takes over the same folder.
    expect(await query(await start(), 'select 1')).toEqual([1]);
    expect(await waitUntilGone([Number(line)], 0)).toBe(true);
  });

  test('without user namespaces, another user runs it, from a copy of the programs if that user may not read ours', async () => {
    await chmod(dataDir, 0o711);
    const installed = await locateInstalledBinaries();
    if (installed === undefined) throw new Error('not installed');
    const [, nobody, nobodyWithAccess] = await identitiesForRoot(dataDir);
    if (nobody === undefined || nobodyWithAccess === undefined) throw new Error('no identities');
    const copied = await copyBinaries(dataDir);
    expect(await tryIdentity(nobody, copied, dataDir)).toBeUndefined();
    const closed = join(dataDir, 'closed');
    await mkdir(closed, { mode: 0o700 });
    expect(await tryIdentity(nobody, copied, closed)).toContain(closed);
    expect(await tryIdentity(nobodyWithAccess, installed, closed)).toBeUndefined();
    const child = spawnAs(nobody, 'id', ['-u'], { stdio: ['ignore', 'pipe', 'ignore'] });
    expect(String(await child.stdout?.toArray()).trim()).toBe('65534');
  });
});
