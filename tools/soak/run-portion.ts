import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Portion } from './plan-portion.ts';

/** `stopped`: nobody knows what would have come of it. */
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
  const words = ['vitest', 'run', '--no-file-parallelism', ...portion.part.files];
  const child = spawn('npx', words, {
    env: { ...process.env, ...environmentOf(portion), NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', output, output],
    // A Ctrl-C is for the soak, which ends the tests itself.
    detached: true,
  });
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, 'SIGINT');
    }
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) {
    end();
  }
  const [code] = await once(child, 'close');
  signal.removeEventListener('abort', end);
  output.end();
  if (signal.aborted) {
    return 'stopped';
  }
  return code === 0 ? 'passed' : 'failed';
}
