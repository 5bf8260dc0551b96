import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPostgresIn } from '../../src/database/embedded-postgres/process-table.ts';
import { execute } from '../harness/index.ts';
import { HttpsClient, type Outcome } from './https-client.ts';
import { endServers, launchServer, readAuthority, serverSettings, startServer } from './server-process.ts';
import { issueLicenses, signUp, World } from './world.ts';

describe('seathold serve on an external database', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(() => world.close());

  it('finishes running requests on SIGTERM, exits with 0 and loses nothing that it acknowledged', async () => {
    // The default drain of a service.
    const settings = await world.settings('server', { SEATHOLD_DRAIN_SECONDS: '' });
    const server = await startServer(settings);
    const client = new HttpsClient([await readAuthority(server.dataDir)]);
    const person = await signUp(client, server.baseUrl, 'ada');
    const [license] = await issueLicenses(world.database, person.organizationId, [100_000]);
    const acquired: Outcome[] = [];
    const load = Array.from({ length: 10 }, async () => {
      for (let isUp = true; isUp; ) {
        const body = { license_key: license?.key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
        const answer = await client.call('POST', `${server.baseUrl}/v1/licenses/acquire`, person, body);
        acquired.push(answer);
        isUp = answer.kind === 'answer' && answer.status === 201;
      }
    });
    await expect.poll(() => acquired.length).toBeGreaterThan(10);
    const slow = await Promise.all(
      Array.from({ length: 6 }, (_, number) =>
        beginPost(`${server.baseUrl}/v1/auth/register`, {
          email: `late-${number}@example.com`,
          password: 'a long enough password',
          name: 'Late',
        }),
      ),
    );
    const ended = server.end('SIGTERM');
    expect(await Promise.all(slow.map((request) => request.finish()))).toEqual(slow.map(() => 201));
    expect(await ended).toEqual({ code: 0, signal: null });
    await Promise.all(load);
    await client.close();

    const answered = acquired.flatMap((each) =>
      each.kind === 'answer' && each.status === 201 ? [String(each.body.data.session_id)] : [],
    );
    const kept = await execute<{ id: string }>(
      world.database,
      'select session_id as id from seat_slots where session_id = any($1::text[])',
      [answered],
    );
    expect(answered.length).toBeGreaterThan(10);
    expect(kept.length).toBe(answered.length);
    expect(acquired.filter((each) => each.kind === 'answer' && each.status >= 500 && each.status !== 503)).toEqual([]);
    expect(server.faults).toEqual([]);
  });
});

describe('seathold serve on its embedded database', () => {
  let folder: string;
  let settings: Record<string, string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seathold-lifecycle-'));
    settings = await serverSettings({ SEATHOLD_DATA_DIR: join(folder, 'data') });
  });
  afterEach(async () => {
    await endServers();
    // The next start ends a PostgreSQL whose service was killed. After these tests there is no next start.
    for (const pid of await findPostgresIn(join(folder, 'data', 'postgres'))) {
      process.kill(pid, 'SIGKILL');
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('refuses a second service on the folder, starts after kill -9, and keeps its data', async () => {
    const first = await startServer(settings);
    const client = new HttpsClient([await readAuthority(first.dataDir)]);
    const person = await signUp(client, first.baseUrl, 'ada');

    const other = await serverSettings({ SEATHOLD_DATA_DIR: first.dataDir });
    const second = launchServer(other);
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^seathold: The data folder .* is already in use by another Seathold process \(pid \d+\)\.$/,
      ),
    ]);
    expect((await client.call('GET', `${first.baseUrl}/readyz`)).kind).toBe('answer');

    await first.end('SIGKILL');
    const third = await startServer(settings);
    expect(await client.call('GET', `${third.baseUrl}/v1/me`, person)).toMatchObject({ status: 200 });
    expect(third.faults).toEqual([]);
    expect(await third.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await client.close();
  });

  it('obeys a signal that arrives while it starts', async () => {
    const server = launchServer(settings);
    await sleep(700);
    const { code, signal } = await server.end('SIGTERM');
    // Before its first line runs, a process cannot control how a signal ends it.
    expect(code ?? signal).toSatisfy((end) => end === 0 || end === 'SIGTERM');
    expect(server.output).not.toMatch(/^\s+at /m);
  });

  it('reports all wrong settings together, in one line each, and exits with 78', async () => {
    const server = launchServer({
      ...settings,
      SEATHOLD_PORT: 'eighty',
      SEATHOLD_HEARTBEAT_INTERVAL: '0',
      SEATHOLD_MASTER_KEY: 'short',
      SEATHOLD_RATE_LIMITS: 'sometimes',
      DATABASE_URL: 'mysql://localhost/x',
    });
    expect(await server.ended).toEqual({ code: 78, signal: null });
    const lines = server.output.trim().split('\n');
    for (const name of [
      'SEATHOLD_PORT',
      'SEATHOLD_HEARTBEAT_INTERVAL',
      'SEATHOLD_MASTER_KEY',
      'SEATHOLD_RATE_LIMITS',
      'DATABASE_URL',
    ]) {
      expect(lines.filter((line) => line.startsWith(`  ${name} must`))).toHaveLength(1);
    }
    expect(server.output).not.toMatch(/^\s+at /m);
  });
});

/**
 * A request whose head the service has certainly received, and whose body it waits for. `finish` sends the body and
 * returns the status.
 */
async function beginPost(url: string, body: object): Promise<{ finish(): Promise<number | undefined> }> {
  const text = JSON.stringify(body);
  const asked = request(url, {
    method: 'POST',
    agent: false,
    rejectUnauthorized: false,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), expect: '100-continue' },
  });
  const answered = once(asked, 'response');
  answered.catch(() => undefined);
  asked.flushHeaders();
  await once(asked, 'continue');
  return {
    finish: async () => {
      asked.end(text);
      const [response] = await answered;
      response.resume();
      return response.statusCode;
    },
  };
}
