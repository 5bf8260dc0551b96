import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const hasProc = process.platform === 'linux';

/**
 * Distinguishes this process from a later one with the same PID; undefined if no such process runs. A zombie counts as
 * gone: in a container whose first process does not reap children, it would otherwise look alive forever.
 */
export async function identifyProcess(pid: number): Promise<string | undefined> {
  if (!isSignalable(pid)) return undefined;
  if (!hasProc) return identifyByPs(pid);
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces, so fields are counted from its end: state first, start time
    // twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${bootId.trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** The PostgreSQL processes (postmaster and backends alike) that work in this cluster folder, given as a real path. */
export async function findPostgresIn(clusterDir: string): Promise<number[]> {
  if (!hasProc) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await worksIn(pid, clusterDir)) ? pid : undefined)));
  return found.filter((pid) => pid !== undefined);
}

/** Whether this PID is the PostgreSQL server of this cluster folder, and not a later process with the same PID. */
export async function isPostgresOf(pid: number, clusterDir: string): Promise<boolean> {
  if (hasProc) return worksIn(pid, clusterDir);
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(clusterDir);
}

/** Waits until none of these processes is running; returns false if some still are after the timeout. */
export async function waitUntilGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const states = await Promise.all(pids.map(identifyProcess));
    if (states.every((state) => state === undefined)) return true;
    if (performance.now() >= deadline) return false;
    await sleep(20);
  }
}

/**
 * PostgreSQL changes into its cluster folder at startup, which identifies its processes more reliably than a command
 * line.
 */
async function worksIn(pid: number, clusterDir: string): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${pid}/cwd`)) !== clusterDir) return false;
    const executable = await readlink(`/proc/${pid}/exe`);
    return basename(executable.replace(/ \(deleted\)$/, '')) === 'postgres';
  } catch {
    return false;
  }
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function identifyByPs(pid: number): Promise<string | undefined> {
  // Windows has no ps: only the running PID is known there, and a stale lock must be removed manually.
  if (process.platform === 'win32') return 'running';
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [state = '', ...started] = stdout.trim().split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}
