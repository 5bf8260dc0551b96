import { describe, expect } from 'vitest';
import { createTest } from '../../server/test/harness/fixtures.ts';
import { execute } from '../../server/test/harness/index.ts';
import { joinOrganization } from '../../server/test/harness/join-organization.ts';

import { activeSeats, codeOf, inOrganization, issue, machine, Network, take, types } from './seat-world.ts';

const it = createTest({ settings: { SEATHOLD_RATE_LIMITS: 'off' } });

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

  it('is reacquired if the session timed out, and the program continues', async ({ app, ada }) => {
    const { key } = await issue(app, ada, { sessionTimeoutSeconds: 60 });
    const { seat, told } = await take(app, ada, key);
    const { sessionId } = seat;
    await app.moveClock(ada.organizationId, 61);
    await expect.poll(() => told.length).toBe(2);
    expect(told[1]).toMatchObject({ type: 'granted', reason: 'reacquired' });
    expect(seat.sessionId).not.toBe(sessionId);
    await seat.release();
  });

  it('is lost to another program, and reacquired when that program releases it', async ({ app, ada }) => {
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

  it('survives an outage, and reports when it begins and ends', async ({ app, ada }) => {
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

  it('is shared by two copies of a program, and the second reacquires it when the first releases it', async ({
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
