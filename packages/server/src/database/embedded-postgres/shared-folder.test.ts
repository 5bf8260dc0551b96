import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './index.ts';
import { describeOurselves, formatLock, type LockOwner } from './lock-file.ts';
import { lockFolder } from './lock-folder.ts';
import { findPostgresIn, identifyProcess } from './process-table.ts';

const frontDoor = new URL('./index.ts', import.meta.url).href;
/** A lock from another host is watched for 15 s before it is taken over. */
const TIMEOUT_MS = 120_000;

let dataDir: string;
let containers: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'seathold-shared-'));
  containers = [];
});

afterEach(async () => {
  for (const container of containers) container.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const elsewhere: LockOwner = { pid: 7, identity: 'boot/1', id: 'other', host: 'node-b', place: 'boot pid:[1]' };
const lockPath = () => join(dataDir, 'seathold.lock');

describe('a lock that the process table cannot judge', () => {
  test('is respected while its owner updates it', async () => {
    let beat = 0;
    await writeFile(lockPath(), formatLock(elsewhere, beat));
    const beating = setInterval(() => {
      beat += 1;
      void writeFile(lockPath(), formatLock(elsewhere, beat));
    }, 50);
    await expect(lockFolder(dataDir, { watchMs: 60_000 })).rejects.toThrow(
      `The data folder ${dataDir} is already in use by another Seathold process (pid 7 on node-b).`,
    );
    clearInterval(beating);
  });

  test('is taken over once it has been unchanged for long enough', async () => {
    await writeFile(lockPath(), formatLock(elsewhere, 5));
    const lock = await lockFolder(dataDir, { watchMs: 300 });
    expect(await readFile(lockPath(), 'utf8')).toContain(`\nhost ${hostname()}\n`);
    await lock.release();
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('is given time while its file is still empty', async () => {
    await writeFile(lockPath(), '');
    const filled = setTimeout(() => void writeFile(lockPath(), formatLock(elsewhere, 0)), 100);
    await expect(lockFolder(dataDir, { watchMs: 60_000 })).rejects.toThrow(/in use/);
    clearTimeout(filled);
  });

  test('goes to one of many processes that wait for it', async () => {
    await writeFile(lockPath(), formatLock(elsewhere, 5));
    const tries = Array.from({ length: 20 }, () => lockFolder(dataDir, { watchMs: 300 }));
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is taken over even if a process was killed during a takeover', async () => {
    await writeFile(lockPath(), formatLock(elsewhere, 5));
    await writeFile(`${lockPath()}.takeover-${elsewhere.id}`, formatLock({ ...elsewhere, id: 'third' }, 0));
    const lock = await lockFolder(dataDir, { watchMs: 300 });
    expect(await lock.isOurs()).toBe(true);
    await lock.release();
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe('a lock owner', () => {
  test('that was presumed dead kills its PostgreSQL and touches no files', async () => {
    let isLost = false;
    const onLost = () => {
      isLost = true;
    };
    const postgres = await startEmbeddedPostgres({ dataDir, databases: ['one'], log: () => undefined, onLost });
    const { pid } = postgres;
    const successor = formatLock({ ...(await describeOurselves()), id: 'successor' }, 0);
    await writeFile(lockPath(), successor);
    await expect.poll(() => isLost).toBe(true);
    await expect.poll(() => findPostgresIn(join(dataDir, 'postgres'))).toEqual([]);
    expect(await identifyProcess(pid)).toBeUndefined();
    await postgres.stop();
    expect(await readFile(lockPath(), 'utf8')).toBe(successor);
    expect(await readdir(join(dataDir, 'postgres'))).toContain('postmaster.pid');
  });

  test('recreates the lock if it was removed by hand', async () => {
    const lock = await lockFolder(dataDir);
    const before = await readFile(lockPath(), 'utf8');
    await rm(lockPath());
    const ownerOf = (text: string) => /^owner .+$/m.exec(text)?.[0];
    await expect.poll(async () => ownerOf(await readFile(lockPath(), 'utf8').catch(() => ''))).toBe(ownerOf(before));
    await lock.release();
    expect(await readdir(dataDir)).toEqual([]);
  });
});

/** Like a container, it sees only its own processes and dies as a whole. */
const inNamespaces = { command: 'unshare', args: ['--pid', '--ipc', '--fork', '--mount-proc', '--kill-child=SIGKILL'] };
const trial = spawnSync(inNamespaces.command, [...inNamespaces.args, 'true']);
const why = `needs unshare with pid, ipc and mount namespaces: ${trial.error?.message ?? String(trial.stderr).trim()}`;

/** A service in its own namespaces, like a container. Resolves with the line it prints: ready, or the error. */
async function startInContainer(): Promise<{ container: ChildProcess; line: string }> {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(frontDoor)});
    const options = { dataDir: ${JSON.stringify(dataDir)}, databases: ['one'], log: () => {} };
    await startEmbeddedPostgres(options).then(() => console.log('ready'), (e) => console.log(e.message));
    setInterval(() => {}, 1000);`;
  const node = [process.execPath, '--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script];
  // The shell is the container's first process, so the service can die while its PostgreSQL survives.
  const container = spawn(inNamespaces.command, [...inNamespaces.args, 'sh', '-c', '"$@"; sleep 1000', 'sh', ...node], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  containers.push(container);
  if (container.stdout === null) throw new Error('no output');
  const [line] = await once(createInterface({ input: container.stdout }), 'line');
  return { container, line: String(line) };
}

async function killed(container: ChildProcess): Promise<void> {
  container.kill('SIGKILL');
  await once(container, 'exit');
}

/** The first process that this one started. */
function childOf(pid: number): number {
  return Number(
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)[0],
  );
}

async function query(sql: string): Promise<unknown[]> {
  const url = (await readFile(join(dataDir, 'postgres-url'), 'utf8')).replace('/postgres-any-database', '/one');
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

if (trial.status !== 0) console.warn(`skipped: two containers on one folder (${why})`);

describe.skipIf(trial.status !== 0)('two containers on one folder:', { timeout: TIMEOUT_MS }, () => {
  test('the second process is refused, and the first keeps running undisturbed', async () => {
    const first = await startInContainer();
    expect(first.line).toBe('ready');
    await query('create table t as select 42 as n');
    const second = await startInContainer();
    expect(second.line).toMatch(/already in use by another Seathold process \(pid \d+ on .+\)\. It runs in another/);
    expect(await query('select n from t')).toEqual([42]);
    // After a kill -9 of the whole container, the next one gets the folder with all committed data.
    await killed(first.container);
    await killed(second.container);
    const third = await startInContainer();
    expect(third.line).toBe('ready');
    expect(await query('select n from t')).toEqual([42]);
  });

  test('a PostgreSQL that outlives its killed service in its container keeps the folder', async () => {
    const first = await startInContainer();
    expect(first.line).toBe('ready');
    const shell = childOf(first.container.pid ?? 0);
    process.kill(childOf(shell), 'SIGKILL');
    const second = await startInContainer();
    expect(second.line).toMatch(/already in use/);
    expect(await query('select 1')).toEqual([1]);
    expect(await readdir(join(dataDir, 'postgres'))).toContain('postmaster.pid');
  });

  test('one of two processes that start together gets the folder, whether it is new or left by a killed process', async () => {
    for (const isNew of [true, false]) {
      const started = await Promise.all([startInContainer(), startInContainer()]);
      const [ready, refused] = started
        .map(({ line }) => line)
        .sort((one, other) => (one === 'ready' ? -1 : other === 'ready' ? 1 : 0));
      expect([isNew, ready]).toEqual([isNew, 'ready']);
      expect(refused).toMatch(/already in use/);
      expect(await query('select 1')).toEqual([1]);
      for (const { container } of started) await killed(container);
    }
  });
});
