import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLineStream } from './index.ts';

async function openFile(): Promise<{ path: string; fd: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-lines-'));
  const path = join(folder, 'log');
  const fd = openSync(path, 'a');
  onTestFinished(async () => {
    closeSync(fd);
    await rm(folder, { recursive: true });
  });
  return { path, fd };
}

it('every line is written completely and in order', async () => {
  const { path, fd } = await openFile();
  const stream = createLineStream(fd);
  const lines = Array.from({ length: 5_000 }, (_, number) => `line ${number} ${'x'.repeat(number % 200)}\n`);
  for (const line of lines) stream.write(line);
  await stream.close();
  expect(await readFile(path, 'utf8')).toBe(lines.join(''));
  expect(stream.takeDropped()).toBe(0);
});

it('a single line is written without waiting for more', async () => {
  const { path, fd } = await openFile();
  const stream = createLineStream(fd);
  stream.write('alone\n');
  await expect.poll(() => readFile(path, 'utf8')).toBe('alone\n');
  await stream.close();
});

it('lines beyond the buffer are dropped while the reader is stuck, and are counted', async () => {
  const { fd } = await openFile();
  const stream = createLineStream(fd);
  const line = `${'x'.repeat(1_023)}\n`;
  for (let number = 0; number < 5_000; number += 1) stream.write(line);
  // Four megabytes are waiting, besides the chunk that is being written.
  const dropped = stream.takeDropped();
  expect(dropped).toBeLessThanOrEqual(5_000 - 4 * 1_024);
  expect(dropped).toBeGreaterThanOrEqual(5_000 - 4 * 1_024 - 64);
  expect(stream.takeDropped()).toBe(0);
  await stream.close();
});

it.each([
  ['ends', 'process.exit(0)', 0],
  ['crashes', 'throw new Error("crash")', 1],
])('buffered lines are written when the process %s', async (_, end, code) => {
  const script = `
    const { createLineStream } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
    const stream = createLineStream(1);
    for (let n = 0; n < 2000; n += 1) stream.write('line ' + n + '\\n');
    ${end};`;
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script];
  const { path, fd } = await openFile();
  const child = spawn(process.execPath, args, { stdio: ['ignore', fd, 'ignore'] });
  const [exitCode] = await once(child, 'close');
  expect(exitCode).toBe(code);
  const written = (await readFile(path, 'utf8')).trim().split('\n');
  expect(written.toSorted()).toEqual(Array.from({ length: 2_000 }, (_unused, n) => `line ${n}`).toSorted());
});
