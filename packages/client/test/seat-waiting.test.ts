import { describe, expect } from 'vitest';
import { createTest } from '../../server/test/harness/fixtures.ts';
import { execute } from '../../server/test/harness/index.ts';
import { joinOrganization } from '../../server/test/harness/join-organization.ts';
import type { Fetch, SeatEvent } from '../src/index.ts';

import { activeSeats, codeOf, createStore, DAY, issue, machine, Network, take, types, within } from './seat-world.ts';

const it = createTest({ settings: { SEATHOLD_RATE_LIMITS: 'off' } });

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

  it('a seat that an admin releases is lost as soon as the program sees a network', async ({ app, ada }) => {
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

  it('a seat can become an offline seat later, if the license allows it', async ({ app, ada }) => {
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
  it('is activated automatically, once, and acquires seats with the token that it stored', async ({ app, ada }) => {
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
