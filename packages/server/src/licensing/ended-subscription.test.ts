import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../test/harness/index.ts';
import { ENTITLEMENTS_CHANGED, type Entitlement } from '../billing/index.ts';
import { announcement, createOutbox } from '../events/index.ts';
import { newId } from '../ids/index.ts';
import { ON_ENTITLEMENTS_CHANGED } from './on-entitlements-changed.ts';

let ada: Member;

const it = createTest({ environment: 'sandbox' });
it.beforeEach(async ({ app }) => {
  ada = await app.register();
});

const outbox = createOutbox([ON_ENTITLEMENTS_CHANGED]);
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

function entitlement(terms: Partial<Entitlement> = {}): Entitlement {
  return {
    subscription_id: newId('subscription'),
    license_id: newId('license'),
    product: 'studio',
    max_seats: 10,
    features: {},
    expires_at: inSeconds(86_400),
    renews: true,
    ended: false,
    heartbeat_interval_seconds: 30,
    session_timeout_seconds: 90,
    policy: {},
    ...terms,
  };
}

const announceEntitlement = (app: TestApp, given: Entitlement) =>
  app.database.transaction((tx) =>
    outbox.announce(tx, ada.organizationId, 0, [announcement(ENTITLEMENTS_CHANGED, { entitlements: [given] })]),
  );
const licenseOf = async (app: TestApp, { license_id: id }: Entitlement) =>
  (await app.api.get(`/v1/licenses/${id}`, ada.accessToken)).body.data;
const acquire = (app: TestApp, key: string) =>
  app.api.post('/v1/licenses/acquire', ada.accessToken, {
    license_key: key,
    hardware_id: `hw_${randomBytes(16).toString('hex')}`,
  });
const ask = (app: TestApp, what: 'heartbeat' | 'release', session: string | undefined) =>
  app.api.post(`/v1/licenses/${what}`, ada.accessToken, { session_id: session });
/** The existing seats. Those in use are negative. */
const seatsOf = async (app: TestApp, { license_id: id }: Entitlement) =>
  (await execute<{ slot: number }>(app.database, SEATS, [id])).map((row) => row.slot);
const SEATS = `select case when session_id is null then slot else -slot end as slot from seat_slots
  where license_id = $1 order by slot desc`;
const TAKEN = 'select taken from license_seat_counts where license_id = $1';

describe('the license of a permanently ended subscription', () => {
  it('keeps no seats: free ones are removed immediately, the others with their sessions', async ({ app }) => {
    const paid = entitlement();
    await announceEntitlement(app, paid);
    const { key } = await licenseOf(app, paid);
    const sessions: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      sessions.push((await acquire(app, key)).body.data.session_id);
    }
    // Two of the five already exceed the license when it ends.
    await announceEntitlement(app, { ...paid, max_seats: 3 });
    const ended = { ...paid, max_seats: 3, expires_at: inSeconds(-1), renews: false, ended: true };
    await announceEntitlement(app, ended);
    const left = await seatsOf(app, paid);
    expect(left).toHaveLength(5);
    expect(left.every((slot) => slot < -3)).toBe(true);
    await announceEntitlement(app, ended);
    expect(await seatsOf(app, paid)).toEqual(left);
    expect(await licenseOf(app, paid)).toMatchObject({ max_seats: 3, active_seats: 5, status: 'expired' });
    expect((await acquire(app, key)).body.error.code).toBe('license_expired');
    expect((await ask(app, 'heartbeat', sessions[0])).body.error.code).toBe('license_expired');
    expect((await ask(app, 'release', sessions[0])).status).toBe(200);
    expect(await seatsOf(app, paid)).toHaveLength(4);
    await app.moveClock(ada.organizationId, 91);
    await app.runJobs();
    expect(await seatsOf(app, paid)).toEqual([]);
    expect(await execute(app.database, TAKEN, [paid.license_id])).toEqual([{ taken: 0 }]);
    expect(await licenseOf(app, paid)).toMatchObject({ max_seats: 3, active_seats: 0, status: 'expired' });
    expect((await acquire(app, key)).body.error.code).toBe('license_expired');
  });

  it('keeps all its seats until then, even while it is expired because it was not paid', async ({ app }) => {
    const paid = entitlement({ expires_at: inSeconds(-1), renews: false });
    await announceEntitlement(app, paid);
    await announceEntitlement(app, paid);
    expect(await seatsOf(app, paid)).toHaveLength(10);
    await announceEntitlement(app, { ...paid, expires_at: inSeconds(60) });
    expect((await acquire(app, (await licenseOf(app, paid)).key)).status).toBe(201);
  });

  it('never has seats if it is announced only after the end', async ({ app }) => {
    const ended = entitlement({ expires_at: inSeconds(-1), renews: false, ended: true });
    await announceEntitlement(app, ended);
    expect(await seatsOf(app, ended)).toEqual([]);
    expect(await licenseOf(app, ended)).toMatchObject({ max_seats: 10, active_seats: 0, status: 'expired' });
  });
});
