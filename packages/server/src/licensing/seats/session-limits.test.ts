import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startAppForTest, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { MemoryLimiter, type RateLimiter } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';

/** Refuses nothing, so that seats can be acquired and organizations created without waiting for windows. */
let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** Another process on the same database, with limits on and a clock that only the test moves. */
async function startLimitedApp(limits: string | object = 'on', limiter?: RateLimiter) {
  let nowMs = Date.now();
  const clock = { nowMs: () => nowMs };
  const text = typeof limits === 'string' ? limits : JSON.stringify(limits);
  const app = await startAppForTest({
    beside: test,
    clock,
    settings: { SEATHOLD_RATE_LIMITS: text },
    ...(limiter === undefined ? {} : { limiter }),
  });
  return {
    app,
    moveOn: (seconds: number) => {
      nowMs += seconds * 1000;
    },
    send: (route: 'heartbeat' | 'release', token: string, sessionId: string) =>
      app.api.post(`/v1/licenses/${route}`, token, { session_id: sessionId }),
  };
}

const hardwareId = () => `hw_${randomBytes(16).toString('hex')}`;

async function setTier(member: Member, tier: string): Promise<void> {
  await execute(test.database, 'update organizations set tier = $2 where id = $1', [member.organizationId, tier]);
}

/** An admin on the free tier who holds seats of a license. */
async function holdSeats(seats: number, maxSeats = seats): Promise<{ ada: Member; key: string; sessions: string[] }> {
  const ada = await test.register();
  const { key } = await test.issueLicense(ada.organizationId, { maxSeats });
  await setTier(ada, 'free');
  const sessions: string[] = [];
  for (let taken = 0; taken < seats; taken += 50) {
    const portion = Array.from({ length: Math.min(50, seats - taken) }, () => acquire(ada.accessToken, key));
    sessions.push(...(await Promise.all(portion)));
  }
  return { ada, key, sessions };
}

async function acquire(token: string, key: string): Promise<string> {
  const body = { license_key: key, hardware_id: hardwareId() };
  return (await test.api.post('/v1/licenses/acquire', token, body)).body.data.session_id;
}

async function countStatuses(calls: ReadonlyArray<() => Promise<{ status: number }>>, atOnce = 1) {
  const counts: Record<number, number> = {};
  for (let sent = 0; sent < calls.length; sent += atOnce) {
    for (const { status } of await Promise.all(calls.slice(sent, sent + atOnce).map((call) => call()))) {
      counts[status] = (counts[status] ?? 0) + 1;
    }
  }
  return counts;
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

describe('a heartbeat', () => {
  it('keeps each of 1,000 seats on one free-tier token, round after round', async () => {
    const { ada, sessions } = await holdSeats(1_000);
    const limited = await startLimitedApp();
    for (let round = 0; round < 3; round += 1) {
      await test.moveClock(ada.organizationId, 75);
      limited.moveOn(75);
      const beats = sessions.map((session) => () => limited.send('heartbeat', ada.accessToken, session));
      expect(await countStatuses(beats, 50)).toEqual({ 200: 1_000 });
    }
    const [license] = (await limited.app.api.get('/v1/licenses', ada.accessToken)).body.data;
    expect(license.active_seats).toBe(1_000);
  }, 240_000);

  it('succeeds on a process that never saw the session even if its user is out of requests', async () => {
    const { ada, sessions } = await holdSeats(2);
    const limited = await startLimitedApp();
    await countStatuses(times(60, () => () => limited.app.api.get('/v1/licenses', ada.accessToken)));
    expect((await limited.app.api.get('/v1/licenses', ada.accessToken)).status).toBe(429);
    for (const session of sessions) {
      expect((await limited.send('heartbeat', ada.accessToken, session)).status).toBe(200);
    }
    expect((await limited.send('release', ada.accessToken, sessions[0] ?? '')).status).toBe(200);
  });

  it('is refused from the 31st a minute on, without effect on other sessions or the user’s limits', async () => {
    const { ada, sessions } = await holdSeats(2);
    const [flooded = '', quiet = ''] = sessions;
    const limited = await startLimitedApp();
    const flood = times(40, () => () => limited.send('heartbeat', ada.accessToken, flooded));
    expect(await countStatuses(flood)).toEqual({ 200: 30, 429: 10 });
    const refused = await limited.send('heartbeat', ada.accessToken, flooded);
    expect(refused.body.error).toMatchObject({ code: 'rate_limit_exceeded', details: { limit: 30, retry_after: 60 } });
    expect(refused.headers.get('retry-after')).toBe('60');
    const other = await limited.send('heartbeat', ada.accessToken, quiet);
    expect([other.status, other.headers.get('x-ratelimit-limit')]).toEqual([200, '30']);
    expect(other.headers.get('x-ratelimit-remaining')).toBe('29');
    expect(other.headers.get('ratelimit-policy')).toBe('"heartbeat";q=30;w=60');
    const read = await limited.app.api.get('/v1/licenses', ada.accessToken);
    expect(read.headers.get('x-ratelimit-remaining')).toBe('59');
    limited.moveOn(60);
    expect((await limited.send('heartbeat', ada.accessToken, flooded)).status).toBe(200);
  });

  it('is counted exactly if many arrive simultaneously on a process that never saw the session', async () => {
    const { ada, sessions } = await holdSeats(1);
    const limited = await startLimitedApp();
    const flood = times(40, () => () => limited.send('heartbeat', ada.accessToken, sessions[0] ?? ''));
    expect(await countStatuses(flood, 40)).toEqual({ 200: 30, 429: 10 });
  });

  it('counts against the user if it names no session, someone else’s or extra fields', async () => {
    const { ada, sessions } = await holdSeats(1);
    const foreign = await holdSeats(1);
    const limited = await startLimitedApp();
    const send = (body: unknown) => limited.app.api.post('/v1/licenses/heartbeat', ada.accessToken, body);
    const madeUp = times(30, () => () => send({ session_id: newId('seatSession') }));
    const notTheirs = times(20, () => () => send({ session_id: foreign.sessions[0] }));
    const malformed = times(10, () => () => send({ session_id: sessions[0], extra: true }));
    const all = [...madeUp, ...notTheirs, ...malformed];
    expect(await countStatuses(all)).toEqual({ 404: 50, 400: 10 });
    const refused = await send({ session_id: newId('seatSession') });
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '60']);
    expect((await send({ session_id: sessions[0] })).status).toBe(200);
    const theirs = await limited.send('heartbeat', foreign.ada.accessToken, foreign.sessions[0] ?? '');
    expect(theirs.headers.get('x-ratelimit-remaining')).toBe('29');
  });

  it('counts against a member who names another user’s session, not against the session', async () => {
    const { ada, sessions } = await holdSeats(1);
    const grace = await joinOrganization(test, ada);
    const limited = await startLimitedApp();
    const inAdas = { 'x-organization-id': ada.organizationId };
    const body = { session_id: sessions[0] };
    const flood = times(
      61,
      () => () => limited.app.api.post('/v1/licenses/heartbeat', grace.accessToken, body, inAdas),
    );
    expect(await countStatuses(flood)).toEqual({ 403: 60, 429: 1 });
    const own = await limited.send('heartbeat', ada.accessToken, sessions[0] ?? '');
    expect([own.status, own.headers.get('x-ratelimit-remaining')]).toEqual([200, '29']);
  });

  it('without the scope counts against the user', async () => {
    const { ada, sessions } = await holdSeats(1);
    const made = await test.api.post('/v1/api-tokens', ada.accessToken, { name: 'x', scopes: ['read:profile'] });
    const limited = await startLimitedApp();
    const refused = await limited.send('heartbeat', made.body.data.token, sessions[0] ?? '');
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([403, '60']);
    expect(
      (await limited.send('heartbeat', ada.accessToken, sessions[0] ?? '')).headers.get('x-ratelimit-remaining'),
    ).toBe('29');
  });

  it('is counted across processes that share their counters', async () => {
    const { ada, sessions } = await holdSeats(1);
    const counters = new MemoryLimiter();
    // Like Redis, it answers asynchronously.
    const shared = {
      take: async (request: Parameters<RateLimiter['take']>[0]) => counters.take(request),
      close: async () => undefined,
    };
    const [first, second] = [await startLimitedApp('on', shared), await startLimitedApp('on', shared)];
    const calls = times(
      40,
      (n) => () => (n % 2 === 0 ? first : second).send('heartbeat', ada.accessToken, sessions[0] ?? ''),
    );
    expect(await countStatuses(calls)).toEqual({ 200: 30, 429: 10 });
    const read = await second.app.api.get('/v1/licenses', ada.accessToken);
    expect(read.headers.get('x-ratelimit-remaining')).toBe('59');
  });

  it('is counted but not refused if limits are off, and its limit can be configured', async () => {
    const { ada, sessions } = await holdSeats(1);
    const off = await startLimitedApp('off');
    const beat = (app: Awaited<ReturnType<typeof startLimitedApp>>) => () =>
      app.send('heartbeat', ada.accessToken, sessions[0] ?? '');
    expect(await countStatuses(times(35, () => beat(off)))).toEqual({ 200: 35 });
    const other = await startLimitedApp({ endpoints: { heartbeat: 3 } });
    expect(await countStatuses(times(5, () => beat(other)))).toEqual({ 200: 3, 429: 2 });
  });
});

describe('a release', () => {
  it('is counted per session, separately from its heartbeats', async () => {
    const { ada, sessions } = await holdSeats(1);
    const limited = await startLimitedApp();
    const heartbeats = times(31, () => () => limited.send('heartbeat', ada.accessToken, sessions[0] ?? ''));
    expect(await countStatuses(heartbeats)).toEqual({ 200: 30, 429: 1 });
    const releases = times(32, () => () => limited.send('release', ada.accessToken, sessions[0] ?? ''));
    expect(await countStatuses(releases)).toEqual({ 200: 30, 429: 2 });
    const read = await limited.app.api.get('/v1/licenses', ada.accessToken);
    expect(read.headers.get('x-ratelimit-remaining')).toBe('59');
  });

  it('is limited per user for ended sessions, however many there are', async () => {
    const { ada, sessions } = await holdSeats(12);
    for (const session of sessions) {
      await test.api.post('/v1/licenses/release', ada.accessToken, { session_id: session });
    }
    // Two per seat are more than the tier allows per minute.
    const limited = await startLimitedApp({ tiers: { free: { minute: 10 } } });
    const all = times(4, () => sessions).flat();
    const releases = all.map((session) => () => limited.send('release', ada.accessToken, session));
    expect(await countStatuses(releases)).toEqual({ 200: 24, 429: 24 });
    const heartbeats = sessions.map((session) => () => limited.send('heartbeat', ada.accessToken, session));
    expect(await countStatuses(heartbeats)).toEqual({ 429: 12 });
    expect((await limited.app.api.get('/v1/licenses', ada.accessToken)).status).toBe(200);
  });
});

describe('an acquire', () => {
  const takeAll = (limited: Awaited<ReturnType<typeof startLimitedApp>>, token: string, key: string, count: number) =>
    countStatuses(
      times(count, () => () => {
        const body = { license_key: key, hardware_id: hardwareId() };
        return limited.app.api.post('/v1/licenses/acquire', token, body);
      }),
    );

  it('is limited to 20 a minute for a user whose organization has at most ten seats', async () => {
    const { ada, key } = await holdSeats(0, 10);
    // Licenses that can no longer be used do not raise the acquire limit.
    const expiresAt = new Date(Date.now() - 1_000).toISOString();
    await test.issueLicense(ada.organizationId, { maxSeats: 500, expiresAt, tier: 'free' });
    await setTier(ada, 'free');
    const limited = await startLimitedApp();
    expect(await takeAll(limited, ada.accessToken, key, 22)).toEqual({ 201: 10, 409: 10, 429: 2 });
  });

  it('is limited to two per seat of the organization if that is more than the tier allows', async () => {
    const { ada, key } = await holdSeats(0, 30);
    const second = await test.issueLicense(ada.organizationId, { maxSeats: 10 });
    await setTier(ada, 'free');
    const limited = await startLimitedApp();
    expect(await takeAll(limited, ada.accessToken, key, 40)).toEqual({ 201: 30, 409: 10 });
    expect(await takeAll(limited, ada.accessToken, second.key, 42)).toEqual({ 201: 10, 409: 30, 429: 2 });
    const read = await limited.app.api.get('/v1/licenses', ada.accessToken);
    expect([read.status, read.headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
  });
});
