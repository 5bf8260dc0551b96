import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createSilentLicenseTools } from '../../test/harness/create-silent-license-tools.ts';
import { createTest } from '../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../test/harness/index.ts';
import { ENTITLEMENTS_CHANGED, type Entitlement } from '../billing/index.ts';
import { announcement, createOutbox } from '../events/index.ts';
import { newId } from '../ids/index.ts';
import { changeLicense, type LicenseChange } from './index.ts';
import { ON_ENTITLEMENTS_CHANGED } from './on-entitlements-changed.ts';

const DAY_MS = 86_400_000;
let ada: Member;

const it = createTest({ environment: 'sandbox' });
it.beforeEach(async ({ app }) => {
  ada = await app.register();
});

const outbox = createOutbox([ON_ENTITLEMENTS_CHANGED]);
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

function entitlement(terms: Partial<Entitlement> = {}): Entitlement {
  return {
    subscription_id: newId('subscription'),
    license_id: newId('license'),
    product: 'studio',
    max_seats: 3,
    features: { ai_assistance: true },
    expires_at: inDays(33),
    renews: true,
    ended: false,
    heartbeat_interval_seconds: 30,
    session_timeout_seconds: 90,
    policy: {},
    ...terms,
  };
}

const announceEntitlements = (app: TestApp, entitlements: Entitlement[], offset = 0) =>
  app.database.transaction((tx) =>
    outbox.announce(tx, ada.organizationId, offset, [announcement(ENTITLEMENTS_CHANGED, { entitlements })]),
  );
const licenseOf = async (app: TestApp, { license_id: id }: Entitlement) =>
  (await app.api.get(`/v1/licenses/${id}`, ada.accessToken)).body.data;
const acquire = (app: TestApp, key: string) =>
  app.api.post('/v1/licenses/acquire', ada.accessToken, {
    license_key: key,
    hardware_id: `hw_${randomBytes(16).toString('hex')}`,
  });
const heartbeat = (app: TestApp, session: string) =>
  app.api.post('/v1/licenses/heartbeat', ada.accessToken, { session_id: session });
const change = (app: TestApp, id: string, what: LicenseChange) =>
  changeLicense(createSilentLicenseTools(app.database), id, what);
const slotsOf = async (app: TestApp, id: string) =>
  (
    await execute<{ slot: number; taken: boolean }>(
      app.database,
      'select slot, session_id is not null as taken from seat_slots where license_id = $1 order by slot',
      [id],
    )
  ).map((row) => (row.taken ? -row.slot : row.slot));
const eventsOf = async (app: TestApp, id: string) =>
  (
    await execute<{ type: string }>(
      app.database,
      `select type from events where organization_id = $1 and object ->> 'license_id' = $2 order by id`,
      [ada.organizationId, id],
    )
  ).map((row) => row.type);

describe('the license of a subscription', () => {
  it('exists with its seats, product, features and heartbeat as soon as it is paid for', async ({ app }) => {
    const paid = entitlement();
    await announceEntitlements(app, [paid]);
    const license = await licenseOf(app, paid);
    expect(license).toMatchObject({
      id: paid.license_id,
      product: 'studio',
      max_seats: 3,
      active_seats: 0,
      status: 'active',
      features: { ai_assistance: true },
      expires_at: paid.expires_at,
    });
    const taken = await Promise.all([1, 2, 3, 4].map(() => acquire(app, license.key)));
    expect(taken.map((each) => each.status).toSorted()).toEqual([201, 201, 201, 409]);
    expect(taken.find((each) => each.status === 201)?.body.data.heartbeat_interval).toBe(30);
  });

  it('follows every change, and keeps its key and the seats in use', async ({ app }) => {
    const paid = entitlement();
    await announceEntitlements(app, [paid]);
    const { key } = await licenseOf(app, paid);
    const { session_id: session } = (await acquire(app, key)).body.data;
    const renewed = {
      ...paid,
      product: 'suite',
      features: { ai_assistance: false },
      expires_at: inDays(64),
      max_seats: 5,
    };
    await announceEntitlements(app, [renewed]);
    expect(await licenseOf(app, paid)).toMatchObject({
      key,
      product: 'suite',
      features: { ai_assistance: false },
      max_seats: 5,
      active_seats: 1,
      expires_at: renewed.expires_at,
    });
    expect((await heartbeat(app, session)).status).toBe(200);
    expect(await slotsOf(app, paid.license_id)).toEqual([-1, 2, 3, 4, 5]);
  });

  it('loses no session when seats are removed, and grants no seat until one is free', async ({ app }) => {
    const paid = entitlement({ max_seats: 4 });
    await announceEntitlements(app, [paid]);
    const { key } = await licenseOf(app, paid);
    const sessions: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      sessions.push((await acquire(app, key)).body.data.session_id);
    }
    await announceEntitlements(app, [{ ...paid, max_seats: 1 }]);
    expect(await slotsOf(app, paid.license_id)).toEqual([-1, -2, -3]);
    for (const session of sessions) {
      expect((await heartbeat(app, session)).status).toBe(200);
    }
    expect((await acquire(app, key)).body.error).toMatchObject({
      code: 'no_seats_available',
      details: { max_seats: 1, active_seats: 3 },
    });
    await announceEntitlements(app, [{ ...paid, max_seats: 3 }]);
    expect(await slotsOf(app, paid.license_id)).toEqual([-1, -2, -3]);
    await announceEntitlements(app, [{ ...paid, max_seats: 1 }]);
    for (const session of sessions) {
      await app.api.post('/v1/licenses/release', ada.accessToken, { session_id: session });
    }
    expect(await slotsOf(app, paid.license_id)).toEqual([1]);
    expect((await acquire(app, key)).status).toBe(201);
  });

  it('never has more sessions than seats while both change simultaneously on two processes', async ({
    app,
    second,
  }) => {
    const paid = entitlement({ max_seats: 10 });
    await announceEntitlements(app, [paid]);
    const { key } = await licenseOf(app, paid);
    await Promise.all(
      [app, second].flatMap((on) => Array.from({ length: 10 }, () => on.api.get('/v1/me', ada.accessToken))),
    );
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 50 }, (_, n) => acquire(n % 2 === 0 ? app : second, key))),
      ...[25, 4, 30, 20].map((seats) => announceEntitlements(app, [{ ...paid, max_seats: seats }])),
    ]);
    const given = answers.filter((each) => each.status === 201).length;
    expect(answers.filter((each) => each.status === 409)).toHaveLength(50 - given);
    expect(given).toBeLessThanOrEqual(30);
    const { max_seats: seats, active_seats: active } = await licenseOf(app, paid);
    expect(active).toBe(given);
    const slots = await slotsOf(app, paid.license_id);
    expect(slots.filter((slot) => slot < 0)).toHaveLength(given);
    for (let slot = 1; slot <= seats; slot += 1) {
      expect(slots.map(Math.abs)).toContain(slot);
    }
    expect(slots.every((slot) => slot < 0 || slot <= seats)).toBe(true);
  });

  it('refuses acquires and heartbeats immediately when it ends, and announces license.expired', async ({ app }) => {
    const paid = entitlement();
    await announceEntitlements(app, [paid]);
    const { key } = await licenseOf(app, paid);
    const { session_id: session } = (await acquire(app, key)).body.data;
    const [now] = await execute<{ at: Date }>(
      app.database,
      `select clock_timestamp()::timestamptz(3) - interval '1 ms' as at`,
    );
    await announceEntitlements(app, [{ ...paid, expires_at: now?.at.toISOString() ?? '', renews: false }]);
    expect((await acquire(app, key)).body.error.code).toBe('license_expired');
    expect((await heartbeat(app, session)).body.error.code).toBe('license_expired');
    expect((await licenseOf(app, paid)).status).toBe('expired');
    await app.runJobs();
    expect(await eventsOf(app, paid.license_id)).toEqual([
      'license.seat.acquired',
      'license.expired',
      'license.seat.refused',
    ]);
  });

  it('is not announced as expired if its renewal is merely late, but refuses seats', async ({ app }) => {
    const paid = entitlement({ expires_at: inDays(-1) });
    await announceEntitlements(app, [paid]);
    await app.runJobs();
    expect(await eventsOf(app, paid.license_id)).toEqual([]);
    const { key, status } = await licenseOf(app, paid);
    expect(status).toBe('expired');
    expect((await acquire(app, key)).body.error.code).toBe('license_expired');
    await announceEntitlements(app, [{ ...paid, expires_at: inDays(30) }]);
    await app.runJobs();
    expect(await eventsOf(app, paid.license_id)).toEqual(['license.seat.refused']);
    expect((await acquire(app, key)).status).toBe(201);
  });

  it('causes one warning once nothing renews it any more, and not before', async ({ app }) => {
    const paid = entitlement({ expires_at: inDays(5) });
    await announceEntitlements(app, [paid]);
    await app.runJobs();
    expect(await eventsOf(app, paid.license_id)).toEqual([]);
    await announceEntitlements(app, [{ ...paid, renews: false }]);
    await app.runJobs();
    await app.runJobs();
    expect(await eventsOf(app, paid.license_id)).toEqual(['license.expiring']);
  });

  it('causes one warning even if its end moves by minutes, and another if it moves further', async ({ app }) => {
    const ending = entitlement({ renews: false, expires_at: inDays(3) });
    await announceEntitlements(app, [ending]);
    await app.runJobs();
    const later = new Date(Date.parse(ending.expires_at) + 600_000).toISOString();
    await announceEntitlements(app, [{ ...ending, expires_at: later }]);
    await app.runJobs();
    expect(await eventsOf(app, ending.license_id)).toEqual(['license.expiring']);
    await announceEntitlements(app, [{ ...ending, expires_at: inDays(5) }]);
    await app.runJobs();
    expect(await eventsOf(app, ending.license_id)).toEqual(['license.expiring', 'license.expiring']);
  });

  it('stays suspended or revoked by the operator, even if it is paid', async ({ app }) => {
    const suspended = entitlement();
    const revoked = entitlement();
    await announceEntitlements(app, [suspended, revoked]);
    await change(app, suspended.license_id, { kind: 'suspend' });
    await change(app, revoked.license_id, { kind: 'revoke' });
    await announceEntitlements(
      app,
      [suspended, revoked].map((each) => ({ ...each, expires_at: inDays(99), max_seats: 7 })),
    );
    expect(await licenseOf(app, suspended)).toMatchObject({ status: 'suspended', max_seats: 7 });
    expect(await licenseOf(app, revoked)).toMatchObject({ status: 'revoked', max_seats: 7 });
    await change(app, suspended.license_id, { kind: 'reinstate' });
    expect(await licenseOf(app, suspended)).toMatchObject({ status: 'active' });
  });

  it('gets its seats and expiry only from its subscription, and the operator cannot change them', async ({ app }) => {
    const paid = entitlement();
    await announceEntitlements(app, [paid]);
    for (const what of [
      { kind: 'extend', expiresAt: inDays(400) } as const,
      { kind: 'resize', maxSeats: 50 } as const,
    ]) {
      await expect(change(app, paid.license_id, what)).rejects.toMatchObject({ code: 'conflict', status: 409 });
    }
    expect(await licenseOf(app, paid)).toMatchObject({ max_seats: 3, expires_at: paid.expires_at });
  });

  it('belongs to one subscription: the latest entitlement counts, and another subscription is refused', async ({
    app,
  }) => {
    const paid = entitlement();
    await announceEntitlements(app, [paid, { ...paid, max_seats: 9 }]);
    expect(await licenseOf(app, paid)).toMatchObject({ max_seats: 9 });
    await expect(announceEntitlements(app, [{ ...paid, subscription_id: newId('subscription') }])).rejects.toThrow(
      /were to be written/,
    );
    await expect(announceEntitlements(app, [{ ...paid, license_id: newId('license') }])).rejects.toThrow(
      /licenses_of_subscription/,
    );
  });
});

it('five hundred licenses of one event take three statements', async ({ app }) => {
  const many = Array.from({ length: 500 }, () => entitlement({ max_seats: 20 }));
  await announceEntitlements(app, many);
  const statements: string[] = [];
  await app.database.transaction((tx) =>
    outbox.announce(
      {
        ...tx,
        execute: (statement, values) => {
          statements.push(statement.name);
          return tx.execute(statement, values);
        },
      },
      ada.organizationId,
      0,
      [
        announcement(ENTITLEMENTS_CHANGED, {
          entitlements: [...many.map((each) => ({ ...each, expires_at: inDays(64) })), entitlement()],
        }),
      ],
    ),
  );
  expect(statements).toEqual(['lock_licenses', 'insert_subscribed_licenses', 'update_subscribed_licenses']);
});
