import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Portion } from './plan-portion.ts';

/** `stopped`: the outcome is unknown. */
export type Outcome = 'passed' | 'failed' | 'stopped';

/** The environment that makes the tests run this portion, and again the same one. */
function environmentOf({ size, seed }: Portion): Record<string, string> {
  return { SEATHOLD_SOAK: '1', SEATHOLD_SOAK_PORTION: String(size), SEATHOLD_SOAK_SEED: String(seed) };
}

/** Runs the tests of a portion; what they print goes into a file. The signal ends them. */
export async function runPortion(portion: Portion, outputPath: string, signal: AbortSignal): Promise<Outcome> {
  await mkdir(dirname(outputPath), { recursive: true });
  const output = createWriteStream(outputPath);
  await once(output, 'open');
  const folder = await mkdtemp(join(tmpdir(), 'seathold-soak-'));
  const words = ['vitest', 'run', '--no-file-parallelism', ...portion.part.files];
  const child = spawn('npx', words, {
    env: { ...process.env, ...environmentOf(portion), TMPDIR: folder, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', output, output],
    // A Ctrl-C is for the soak, which ends the tests itself.
    detached: true,
  });
  const end = () => {
    signalTo(-(child.pid ?? 0), 'SIGINT');
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) {
    end();
  }
  const [code] = await once(child, 'close');
  signal.removeEventListener('abort', end);
  output.end();
  signalTo(-(child.pid ?? 0), 'SIGKILL');
  await endPostgresIn(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  if (signal.aborted) {
    return 'stopped';
  }
  return code === 0 ? 'passed' : 'failed';
}

/** Tests that were cut off leave their PostgreSQL running, which has a process group of its own. */
async function endPostgresIn(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  for (const file of files.filter((name) => name.endsWith('postmaster.pid'))) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    // Immediate shutdown: nothing of it is kept.
    signalTo(Number.parseInt(text, 10), 'SIGQUIT');
  }
}

/** Usually the process is gone already. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  if (!Number.isInteger(pid) || pid === 0) {
    return;
  }
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
      throw error;
    }
  }
}
