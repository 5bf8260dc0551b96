import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testLimiter } from '../../../test/http/limiter-conformance.ts';
import { createLogger } from '../../log/index.ts';
import type { RateLimiter } from './limiter.ts';
import { MemoryLimiter } from './memory-limiter.ts';
import { connectRedisLimiter, type RedisLimiterOptions } from './redis-limiter.ts';

const binary = findBinary('redis-server');

test('redis-server is installed where the whole suite has to run', () => {
  expect(binary !== undefined || process.env.CI === undefined, 'CI has no redis-server: install it').toBe(true);
});

const title =
  binary === undefined ? 'the Redis limiter (SKIPPED: no redis-server on this machine)' : 'the Redis limiter';
if (binary === undefined) {
  // Reporters show how many tests were skipped, but not which ones or why.
  console.warn(title);
}

/** Only a hang takes this long. */
const PATIENT_MS = 300_000;

describe.skipIf(binary === undefined)(title, () => {
  const opened: RateLimiter[] = [];
  let folder: string;
  let socket: string;
  let server: ChildProcess;
  let shared: RateLimiter;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rate-limit-'));
    socket = join(folder, 'redis.sock');
    server = startRedis(binary ?? '', folder, socket);
    await waitUntil(() => existsSync(socket));
    shared = await open({ timeFrom: 'request' });
  });

  afterAll(async () => {
    await Promise.all(opened.map((limiter) => limiter.close()));
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(options: Partial<RedisLimiterOptions>, lines: string[] = []): Promise<RateLimiter> {
    const log = createLogger('warn', { write: (line) => void lines.push(line) });
    const limiter = await connectRedisLimiter({
      url: socket,
      log,
      keyPrefix: 'test:',
      answerWithinMs: PATIENT_MS,
      ...options,
    });
    opened.push(limiter);
    return limiter;
  }

  testLimiter(() => shared);

  test('decides exactly like the memory limiter', async () => {
    const step = fc.record({
      waitMs: fc.integer({ min: -200, max: 1_500 }),
      pick: fc.nat({ max: 2 }),
      on: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const memory = new MemoryLimiter();
        const tier = { key: randomUUID(), windows: [window('short', 3, 1), window('long', 7, 4)] };
        const endpoint = { key: randomUUID(), windows: [window('endpoint', 2, 2)] };
        const choices = [[tier], [tier, endpoint], [endpoint]];
        let nowMs = 1_750_000_000_000;
        for (const { waitMs, pick, on } of steps) {
          nowMs += waitMs;
          const request = { subjects: choices[pick] ?? [tier], nowMs, enforce: on };
          expect(await shared.take(request)).toEqual(memory.take(request));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('several processes share one count, by the clock of Redis', async () => {
    const limiters = await Promise.all([open({}), open({}), open({})]);
    const subjects = [{ key: randomUUID(), windows: [window('day', 10, 86_400)] }];
    // The processes' clocks are far apart, which must make no difference.
    const takes = limiters.flatMap((limiter, index) =>
      Array.from({ length: 20 }, async () => limiter.take({ subjects, nowMs: index * 1e9, enforce: true })),
    );
    const decisions = await Promise.all(takes);
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(10);
  });

  test('a window counted in Redis ends by the clock of Redis', async () => {
    const limiter = await open({});
    const subjects = [{ key: randomUUID(), windows: [window('second', 1, 1)] }];
    const take = async () => limiter.take({ subjects, nowMs: 0, enforce: true });
    let refused = await take();
    while (refused.allowed) {
      refused = await take();
    }
    await wait(refused.binding.resetAtMs - refused.decidedAtMs);
    expect((await take()).allowed).toBe(true);
  });

  test('keys expire with their longest window, and refusals leave none', async () => {
    const client = new Redis(socket);
    const [kept, refused] = [randomUUID(), randomUUID()];
    const windows = [window('minute', 1, 60), window('hour', 9, 3_600)];
    const take = async (keys: string[]) =>
      shared.take({ subjects: keys.map((key) => ({ key, windows })), nowMs: Date.now(), enforce: true });
    await take([kept]);
    expect((await take([kept, refused])).allowed).toBe(false);
    const lifetime = await client.pttl(`test:${kept}`);
    expect(lifetime).toBeGreaterThan(3_590_000);
    expect(lifetime).toBeLessThanOrEqual(3_600_000);
    expect(await client.exists(`test:${refused}`)).toBe(0);
    client.disconnect();
  });

  test('a Redis that lost the script gets it again', async () => {
    const client = new Redis(socket);
    const subjects = [{ key: randomUUID(), windows: [window('minute', 2, 60)] }];
    await shared.take({ subjects, nowMs: 0, enforce: true });
    await client.script('FLUSH');
    const decision = await shared.take({ subjects, nowMs: 0, enforce: true });
    expect(decision.binding.remaining).toBe(0);
    client.disconnect();
  });

  test('while Redis hangs, the process decides requests itself and logs one line', async () => {
    const lines: string[] = [];
    const limiter = await open({ answerWithinMs: 2_000 }, lines);
    const subjects = [{ key: randomUUID(), windows: [window('minute', 5, 60)] }];
    const take = async () => limiter.take({ subjects, nowMs: 1_000, enforce: true });
    await take();
    server.kill('SIGSTOP');
    try {
      const decisions = await Promise.all(Array.from({ length: 20 }, take));
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5);
      // From now on Redis is not even asked, so the answer needs no promise.
      expect(limiter.take({ subjects, nowMs: 1_000, enforce: true })).not.toBeInstanceOf(Promise);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('Redis is slow or unavailable');
    } finally {
      server.kill('SIGCONT');
    }
    const nowMs = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(nowMs + 2_000);
    expect((await take()).decidedAtMs, 'Redis, being back, decides by its own clock').toBeGreaterThan(1e12);
    vi.restoreAllMocks();
  });

  test('the limiter starts and counts locally without any Redis', async () => {
    const lines: string[] = [];
    const limiter = await open({ url: join(folder, 'nobody.sock') }, lines);
    const subjects = [{ key: 'alone', windows: [window('minute', 2, 60)] }];
    const decisions = await Promise.all(
      [1, 2, 3].map(async (nowMs) => limiter.take({ subjects, nowMs, enforce: true })),
    );
    expect(decisions.map((decision) => decision.allowed)).toEqual([true, true, false]);
    await wait(250);
    expect(lines).toHaveLength(1);
  });
});

function window(name: string, limit: number, seconds: number) {
  return { name, limit, seconds };
}

function findBinary(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...folders, '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Without a port or persistence: nothing outside this test can reach it, and it leaves nothing behind. */
function startRedis(path: string, folder: string, socket: string): ChildProcess {
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'no'];
  return spawn(path, settings, { stdio: 'ignore' });
}

async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await wait(10);
  }
}
