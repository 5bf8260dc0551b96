import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Credentials, keepCredentials, readCredentials } from './credentials.ts';
import { withLock } from './take-lock.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seathold-lock-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('simultaneous requests for a lock get it one at a time, even if one of them fails', async () => {
  const path = join(folder, 'one.lock');
  let inside = 0;
  const work = async (number: number) => {
    inside += 1;
    expect(inside).toBe(1);
    await stat(path);
    inside -= 1;
    if (number % 5 === 0) {
      throw new Error('no');
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => withLock(path, () => work(at))));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

/** Waits for the same lock as 20 commands would. */
async function waitForLeftLock(at: number): Promise<void> {
  const own = join(folder, `left-${at}`);
  const path = join(own, 'two.lock');
  await mkdir(path, { recursive: true });
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);
  let inside = 0;
  const work = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await stat(path);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => withLock(path, work)));
  expect(await readdir(own)).toEqual([]);
}

test('a lock left by a killed command is removed, once for all waiters, in each of 30 attempts', async () => {
  // More at a time would keep the process so busy that the waiters of one lock no longer meet.
  const attempts = Array.from({ length: 30 }, (_, at) => at).values();
  const work = async () => {
    for (const at of attempts) {
      await waitForLeftLock(at);
    }
  };
  await Promise.all([work(), work(), work()]);
});

test('a missing folder, or a lock that is a file, is reported immediately', async () => {
  await expect(withLock(join(folder, 'missing', 'three.lock'), async () => undefined)).rejects.toThrow('ENOENT');
  const path = join(folder, 'three.lock');
  await writeFile(path, '');
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);
  await expect(withLock(path, async () => undefined)).rejects.toMatchObject({ code: 'locked' });
  await rm(path);
}, 15_000);

test('two credentials saved at the same moment are both saved, and each save returns what it replaced', async () => {
  const path = join(folder, 'seathold', 'credentials.json');
  const one = (token: string): Credentials => ({
    base_url: 'https://localhost:8443',
    token,
    organization: null,
    ca: null,
    made: null,
  });
  const replaced = await Promise.all([
    keepCredentials(path, 'sandbox', one('other')),
    ...Array.from({ length: 20 }, (_, at) => keepCredentials(path, 'production', one(`token ${at}`))),
  ]);
  const last = await readCredentials(path, 'production');
  const seen = replaced.slice(1).map((each) => each?.token ?? 'none');
  expect(new Set([...seen, last?.token]).size).toBe(21);
  expect(await readCredentials(path, 'sandbox')).toEqual(one('other'));
});
