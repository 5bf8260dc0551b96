import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './locate-binaries.ts';
import { findPostgresIn, isPostgresOf, waitUntilGone } from './process-table.ts';

const run = promisify(execFile);

/** Stops a postmaster: fast shutdown (open transactions roll back), immediate after 5 s, killed after another 5 s. */
export async function endPostmaster(pid: number, binaries: Binaries): Promise<void> {
  // PostgreSQL's meaning of the signals: INT is fast shutdown, QUIT is immediate, which recovers at the next start.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    await signalProcess(pid, signal, binaries);
    if (await waitUntilGone([pid], 5000)) return;
  }
  throw new Error(`The embedded PostgreSQL (pid ${pid}) does not stop.`);
}

/**
 * Stops leftover processes of an earlier start on this cluster, and removes its leftover files. The caller holds the
 * folder's lock, so their service is gone. Throws, and removes nothing, if a server still answers: one that is not in
 * the process table runs in another container.
 */
export async function endLeftovers(
  clusterDir: string,
  binaries: Binaries,
  stillAnswers: () => Promise<boolean> = async () => false,
): Promise<boolean> {
  if (process.platform === 'win32') return stopByPgCtl(clusterDir, binaries);
  const pid = await readPostmasterPid(clusterDir);
  const isLeftover = pid !== undefined && (await isPostgresOf(pid, clusterDir));
  if (isLeftover) await endPostmaster(pid, binaries);
  // A killed postmaster leaves backends that hold its shared memory; while one is alive, no new postmaster starts.
  await endBackends(clusterDir, binaries);
  if (await stillAnswers()) {
    throw new Error(
      `A PostgreSQL that this process cannot see is still running on ${clusterDir}, most likely in another container. Stop it first, or use another data folder.`,
    );
  }
  // PostgreSQL treats any live process with that PID as a rival, which is likely in a container where PIDs start at 1.
  if (pid !== undefined) await rm(join(clusterDir, 'postmaster.pid'), { force: true });
  return isLeftover;
}

/** Kills a server immediately and leaves its files alone, because they now belong to another process. */
export async function abandonPostgres(pid: number, clusterDir: string, binaries: Binaries): Promise<void> {
  await signalProcess(pid, 'SIGKILL', binaries);
  await Promise.all((await findPostgresIn(clusterDir)).map((each) => signalProcess(each, 'SIGKILL', binaries)));
}

/**
 * Kills all processes on the cluster of a data folder that is about to be deleted. The caller knows that it is not in
 * use.
 */
export async function killPostgresIn(dataDir: string): Promise<void> {
  const pids = await findPostgresIn(join(dataDir, 'postgres'));
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
  await waitUntilGone(pids, 2000);
}

/** Sends a POSIX signal; on Windows, pg_ctl emulates the ones PostgreSQL knows. */
async function signalProcess(pid: number, signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL', binaries: Binaries) {
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    await run(binaries.pgCtl, ['kill', signal.slice(3), String(pid)]).catch(() => undefined);
    return;
  }
  try {
    process.kill(pid, signal);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw new Error(`The embedded PostgreSQL (pid ${pid}) cannot be signalled.`, { cause: error });
  }
}

async function stopByPgCtl(clusterDir: string, binaries: Binaries): Promise<boolean> {
  return run(binaries.pgCtl, ['stop', '-D', clusterDir, '-m', 'fast', '-w']).then(
    () => true,
    () => false,
  );
}

async function endBackends(clusterDir: string, binaries: Binaries): Promise<void> {
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const pids = await findPostgresIn(clusterDir);
    await Promise.all(pids.map((pid) => signalProcess(pid, signal, binaries)));
    if (await waitUntilGone(pids, 2000)) return;
  }
}

async function readPostmasterPid(clusterDir: string): Promise<number | undefined> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}
