import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../server/test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../server/test/harness/index.ts';
import { joinOrganization } from '../../server/test/harness/join-organization.ts';
import { type Fetch, Seat, type SeatEvent, SeatholdError, type SeatOptions } from '../src/index.ts';
import { BASE_URL, fetchAt } from './flaky-server.ts';

const it = createTest({ settings: { SEATHOLD_RATE_LIMITS: 'off' } });
const DAY = 86_400;
const machine = () => `hw_${randomBytes(16).toString('hex')}`;

/** A license whose seats send two heartbeats a second, so that no test waits for one. */
const issue = (app: TestApp, by: Member, terms: object = {}) =>
  app.issueLicense(by.organizationId, { maxSeats: 1, heartbeatIntervalSeconds: 1, expiresAt: null, ...terms });

/** A network that can be cut. */
class Network {
  isCut = false;
  readonly paths: string[] = [];
  readonly #fetch: Fetch;

  constructor(app: TestApp) {
    this.#fetch = fetchAt(app.api.baseUrl);
  }

  readonly fetch: Fetch = (url, request) => {
    this.paths.push(`${request.method} ${new URL(url).pathname}`);
    return this.isCut ? Promise.reject(new TypeError('fetch failed')) : this.#fetch(url, request);
  };
}

/** Takes a seat, and collects what the program is told. */
async function take(app: TestApp, by: Member, licenseKey: string, more: Partial<SeatOptions> = {}) {
  const told: SeatEvent[] = [];
  const options: SeatOptions = {
    baseUrl: BASE_URL,
    token: by.accessToken,
    licenseKey,
    hardwareId: machine(),
    fetch: fetchAt(app.api.baseUrl),
    releaseAtExit: false,
    onEvent: (event) => told.push(event),
    ...more,
  };
  return { seat: await Seat.acquire(options), told, options };
}

const types = (told: readonly SeatEvent[]) => told.map(({ type }) => type);
const activeSeats = async (app: TestApp, by: Member, id: string) =>
  (await app.api.get(`/v1/licenses/${id}`, by.accessToken)).body.data.active_seats;

/** A store in memory. */
function createStore() {
  let kept: string | undefined;
  return {
    load: () => kept,
    save: (text: string) => {
      kept = text;
    },
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof SeatholdError ? error.code : String(error);
}

describe('a seat', () => {
  it('is acquired with a verified token, kept by heartbeats, and free after its release', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada);
    const network = new Network(app);
    const { seat, told } = await take(app, ada, key, { fetch: network.fetch, metadata: { hostname: 'node-1' } });
    expect(seat.sessionId).toMatch(/^sess_/);
    expect(seat.licenseToken.split('.')).toHaveLength(3);
    expect(seat.expiresAt.getTime()).toBeGreaterThan(Date.now());
    expect(seat.features).toEqual(expect.any(Object));
    expect([seat.state, types(told)]).toEqual(['held', ['granted']]);
    await expect
      .poll(() => network.paths.filter((path) => path === 'POST /v1/licenses/heartbeat').length)
      .toBeGreaterThan(1);
    expect(await activeSeats(app, ada, id)).toBe(1);
    await seat.release();
    expect([seat.state, await activeSeats(app, ada, id)]).toEqual(['ended', 0]);
  });

  it('is refused with the error of the API', async ({ app, ada }) => {
    const { key } = await issue(app, ada);
    const { seat } = await take(app, ada, key);
    expect(await codeOf(take(app, ada, key))).toBe('no_seats_available');
    expect(await codeOf(take(app, ada, 'AB1CD-2EF3G-4HJ5K-6MN7P'))).toBe('not_found');
    await seat.release();
  });

  it('is refused if its token is for another audience', async ({ app, ada }) => {
    const { key } = await issue(app, ada);
    expect(await codeOf(take(app, ada, key, { audience: 'another-program' }))).toBe('invalid_license_token');
  });

  it('is acquired again when the session timed out, and the program goes on', async ({ app, ada }) => {
    const { key } = await issue(app, ada, { sessionTimeoutSeconds: 60 });
    const { seat, told } = await take(app, ada, key);
    const { sessionId } = seat;
    await app.moveClock(ada.organizationId, 61);
    await expect.poll(() => told.length).toBe(2);
    expect(told[1]).toMatchObject({ type: 'granted', reason: 'reacquired' });
    expect(seat.sessionId).not.toBe(sessionId);
    await seat.release();
  });

  it('is lost to another program, and comes back when that one releases it', async ({ app, ada }) => {
    const { key } = await issue(app, ada, { sessionTimeoutSeconds: 60 });
    const network = new Network(app);
    const { seat, told } = await take(app, ada, key, { fetch: network.fetch });
    network.isCut = true;
    await app.moveClock(ada.organizationId, 61);
    const other = await take(app, ada, key);
    network.isCut = false;
    await expect.poll(() => told.at(-1)).toEqual({ type: 'lost', reason: 'session_timeout', isFinal: false });
    expect(seat.state).toBe('lost');
    await other.seat.release();
    await expect.poll(() => seat.state).toBe('held');
    expect(told.at(-1)).toMatchObject({ type: 'granted', reason: 'reacquired' });
    await seat.release();
  });

  it('goes through an outage, and tells when it begins and ends', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada);
    const network = new Network(app);
    const { seat, told } = await take(app, ada, key, { fetch: network.fetch });
    const { sessionId } = seat;
    network.isCut = true;
    await expect.poll(() => seat.state).toBe('offline');
    network.isCut = false;
    await expect.poll(() => seat.state).toBe('held');
    expect(told.slice(1)).toMatchObject([
      { type: 'offline', reason: 'connection_failed' },
      { type: 'granted', reason: 'online', sessionId },
    ]);
    expect(await activeSeats(app, ada, id)).toBe(1);
    await seat.release();
  });

  it('is lost for good when its license is suspended', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada);
    const { seat, told } = await take(app, ada, key);
    await execute(app.database, `update licenses set state = 'suspended' where id = $1`, [id]);
    await expect.poll(() => told.at(-1)).toEqual({ type: 'lost', reason: 'license_suspended', isFinal: true });
    expect(seat.state).toBe('ended');
  });

  it('is lost for good when an admin releases it', async ({ app, ada }) => {
    const { key } = await issue(app, ada);
    const bob = { ...(await joinOrganization(app, ada, 'member')), organizationId: ada.organizationId };
    const { seat, told } = await take(app, bob, key, { fetch: inOrganization(app, ada) });
    await app.api.post('/v1/licenses/release', ada.accessToken, { session_id: seat.sessionId });
    await expect.poll(() => told.at(-1)).toEqual({ type: 'lost', reason: 'revoked', isFinal: true });
  });

  it('is shared by two copies of a program, and the second takes it again when the first releases it', async ({
    app,
    ada,
  }) => {
    const { key } = await issue(app, ada);
    const hardwareId = machine();
    const first = await take(app, ada, key, { hardwareId });
    const second = await take(app, ada, key, { hardwareId });
    expect(second.seat.sessionId).toBe(first.seat.sessionId);
    await first.seat.release();
    await expect.poll(() => second.told.at(-1)).toMatchObject({ type: 'granted', reason: 'reacquired' });
    await second.seat.release();
  });

  it('gets its next access token from the program', async ({ app, ada }) => {
    const { key } = await issue(app, ada);
    const asked: boolean[] = [];
    const token = ({ isRefused }: { isRefused: boolean }) => {
      asked.push(isRefused);
      return isRefused ? ada.accessToken : 'svc_live_expired';
    };
    const { seat } = await take(app, ada, key, { token });
    expect(asked.slice(0, 2)).toEqual([false, true]);
    await seat.release();
  });
});

describe('waiting in line', () => {
  it('ends with the seat as soon as another program releases it, first come, first served', async ({ app, ada }) => {
    const { key } = await issue(app, ada);
    const held = await take(app, ada, key);
    const firstTold: SeatEvent[] = [];
    const secondTold: SeatEvent[] = [];
    const first = take(app, ada, key, { waitSeconds: 600, onEvent: (event) => firstTold.push(event) });
    await expect.poll(() => firstTold).toMatchObject([{ type: 'waiting', position: 1 }]);
    const second = take(app, ada, key, { waitSeconds: 600, onEvent: (event) => secondTold.push(event) });
    await expect.poll(() => secondTold).toMatchObject([{ type: 'waiting', position: 2 }]);
    await held.seat.release();
    const { seat } = await first;
    expect(types(firstTold)).toEqual(['waiting', 'granted']);
    await seat.release();
    await (await second).seat.release();
    expect(types(secondTold).at(-1)).toBe('granted');
  });

  it('leaves the line when the program gives up', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada);
    const held = await take(app, ada, key);
    const controller = new AbortController();
    const told: SeatEvent[] = [];
    const waiting = take(app, ada, key, {
      waitSeconds: 600,
      signal: controller.signal,
      onEvent: (event) => told.push(event),
    });
    const refusal = expect(waiting).rejects.toThrow('enough');
    await expect.poll(() => told.length).toBe(1);
    controller.abort(new Error('enough'));
    await refusal;
    const waits = () =>
      execute(app.database, `select from seat_waits where license_id = $1 and status = 'waiting'`, [id]);
    await expect.poll(waits).toEqual([]);
    await held.seat.release();
  });
});

describe('offline', () => {
  const POLICY = { policy: { max_offline_seconds: 14 * DAY } };

  it('a program starts without a network, and an early release gives the seat back', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada, POLICY);
    const network = new Network(app);
    const store = createStore();
    const more = { hardwareId: machine(), store, fetch: network.fetch, offlineSeconds: 14 * DAY };
    const { seat } = await take(app, ada, key, more);
    expect(seat.offlineUntil?.getTime()).toBe(seat.expiresAt.getTime());
    network.isCut = true;
    const next = await take(app, ada, key, more);
    expect(next.told).toMatchObject([
      { type: 'granted', reason: 'resumed', sessionId: seat.sessionId },
      { type: 'offline', reason: 'connection_failed' },
    ]);
    network.isCut = false;
    await expect.poll(() => next.seat.state).toBe('held');
    await next.seat.release();
    expect(await activeSeats(app, ada, id)).toBe(0);
    network.isCut = true;
    expect(await codeOf(take(app, ada, key, { ...more, timeoutSeconds: 0 }))).toBe('connection_failed');
    await seat.release();
  });

  it('a seat that an admin takes back is lost as soon as the program sees a network', async ({ app, ada }) => {
    const { key } = await issue(app, ada, POLICY);
    const bob = { ...(await joinOrganization(app, ada, 'member')), organizationId: ada.organizationId };
    const network = new Network(app);
    const fetch: Fetch = (url, request) => network.fetch(url, { ...request, headers: within(ada, request.headers) });
    const { seat, told } = await take(app, bob, key, { fetch, offlineSeconds: 14 * DAY });
    network.isCut = true;
    await expect.poll(() => seat.state).toBe('offline');
    const released = await app.api.post('/v1/licenses/release', ada.accessToken, { session_id: seat.sessionId });
    expect(released.body.data).toHaveProperty('may_run_until');
    network.isCut = false;
    await expect.poll(() => told.at(-1)).toEqual({ type: 'lost', reason: 'revoked', isFinal: true });
  });

  it('is something that a seat can become later, if the license allows it', async ({ app, ada }) => {
    const [allowed, forbidden] = [await issue(app, ada, POLICY), await issue(app, ada)];
    const { seat, told } = await take(app, ada, allowed.key);
    await seat.takeOffline(DAY);
    expect(seat.offlineUntil).toBeInstanceOf(Date);
    expect(told.at(-1)).toMatchObject({ type: 'granted', reason: 'renewed' });
    await seat.release();
    const online = await take(app, ada, forbidden.key);
    expect(await codeOf(online.seat.takeOffline(DAY))).toBe('offline_not_allowed');
    expect(online.seat.state).toBe('held');
    await online.seat.release();
  });
});

describe('a machine with a license key', () => {
  it('is activated by itself, once, and takes seats with the token that it stored', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada, { policy: { activation: 'key' } });
    const network = new Network(app);
    const store = createStore();
    const more = { token: undefined, hardwareId: machine(), store, fetch: network.fetch, name: 'Render node 12' };
    await (await take(app, ada, key, more)).seat.release();
    await (await take(app, ada, key, more)).seat.release();
    expect(network.paths.filter((path) => path === 'POST /v1/licenses/activate')).toHaveLength(1);
    const { body } = await app.api.get(`/v1/licenses/${id}/activations`, ada.accessToken);
    expect(body.data).toMatchObject([{ name: 'Render node 12', hardware_id: more.hardwareId }]);
  });

  it('loses its seat for good when an admin revokes the activation', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada, { policy: { activation: 'key' } });
    const { told } = await take(app, ada, key, { token: undefined });
    const { body } = await app.api.get(`/v1/licenses/${id}/activations`, ada.accessToken);
    await app.api.call('DELETE', `/v1/licenses/${id}/activations/${body.data[0].id}`, { token: ada.accessToken });
    await expect.poll(() => told.at(-1)).toEqual({ type: 'lost', reason: 'invalid_token', isFinal: true });
  });
});

/** Requests of a member who acts in the organization of an admin. */
function inOrganization(app: TestApp, { organizationId }: Member): Fetch {
  const send = fetchAt(app.api.baseUrl);
  return (url, request) => send(url, { ...request, headers: within({ organizationId }, request.headers) });
}

function within({ organizationId }: Pick<Member, 'organizationId'>, headers: Record<string, string>) {
  return { ...headers, 'x-organization-id': organizationId };
}
