import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const hardware = () => `hw_${randomBytes(16).toString('hex')}`;
const inOrganization = ({ organizationId }: Member) => ({ 'x-organization-id': organizationId });
const acquire = (app: TestApp, by: Member, key: string, hardwareId = hardware()) =>
  app.api.post(
    '/v1/licenses/acquire',
    by.accessToken,
    { license_key: key, hardware_id: hardwareId },
    inOrganization(by),
  );
const beat = (app: TestApp, by: Member, sessionId: string) =>
  app.api.post('/v1/licenses/heartbeat', by.accessToken, { session_id: sessionId }, inOrganization(by));
const allow = (app: TestApp, id: string, users: readonly string[] | null) =>
  execute(app.database, 'update licenses set allowed_users = $2 where id = $1', [id, users]);
const timeoutOf = async (app: TestApp, sessionId: string): Promise<number> => {
  const text = `select round(extract(epoch from deadline - last_heartbeat))::int as seconds from seat_slots
    where session_id = $1`;
  return (await execute<{ seconds: number }>(app.database, text, [sessionId]))[0]?.seconds ?? 0;
};

describe('a license with allowed_users', () => {
  async function issueFor(app: TestApp, ...users: Array<'ada' | 'bob'>) {
    const ada = await app.register('Ada');
    const joined = await joinOrganization(app, ada, 'member');
    const bob = { ...joined, organizationId: ada.organizationId };
    const ids = { ada: ada.userId, bob: bob.userId };
    const allowedUsers = users.map((user) => ids[user]);
    return { ada, bob, ...(await app.issueLicense(ada.organizationId, { maxSeats: 8, allowedUsers })) };
  }

  it('grants seats only to them, and refuses everyone else, even admins', async ({ app }) => {
    const { ada, bob, key } = await issueFor(app, 'bob');
    expect((await acquire(app, bob, key)).status).toBe(201);
    const refused = await acquire(app, ada, key);
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe('user_not_allowed');
  });

  it('refuses no one else among many simultaneous requests', async ({ app }) => {
    const { ada, bob, key } = await issueFor(app, 'bob');
    const asked = [bob, ada, bob, ada, bob, ada, bob, bob, ada, bob];
    const answers = await Promise.all(asked.map((user) => acquire(app, user, key)));
    expect(answers.map(({ status }) => status)).toEqual(asked.map((user) => (user === bob ? 201 : 403)));
  });

  it('returns user_not_allowed even if all seats are in use', async ({ app }) => {
    const { ada, bob, key, id } = await issueFor(app, 'bob');
    for (let seat = 0; seat < 8; seat += 1) {
      expect((await acquire(app, bob, key)).status).toBe(201);
    }
    expect((await acquire(app, ada, key)).body.error.code).toBe('user_not_allowed');
    expect((await acquire(app, bob, key)).body.error.code).toBe('no_seats_available');
    await allow(app, id, null);
    expect((await acquire(app, ada, key)).body.error.code).toBe('no_seats_available');
  });

  it('refuses heartbeats and renewals of a user who was removed from the list, and lets them release', async ({
    app,
  }) => {
    const { ada, bob, key, id } = await issueFor(app, 'ada', 'bob');
    const hardwareId = hardware();
    const { session_id } = (await acquire(app, bob, key, hardwareId)).body.data;
    expect((await beat(app, bob, session_id)).status).toBe(200);
    await allow(app, id, [ada.userId]);
    expect((await beat(app, bob, session_id)).body.error.code).toBe('user_not_allowed');
    expect((await acquire(app, bob, key, hardwareId)).body.error.code).toBe('user_not_allowed');
    const released = await app.api.post('/v1/licenses/release', bob.accessToken, { session_id }, inOrganization(bob));
    expect(released.status).toBe(200);
  });

  it('refuses everyone if the list is empty', async ({ app }) => {
    const { ada, bob, key } = await issueFor(app);
    for (const user of [ada, bob]) {
      expect((await acquire(app, user, key)).body.error.code).toBe('user_not_allowed');
    }
  });

  it('counts the refusal under its code', async ({ app }) => {
    const { ada, key, id } = await issueFor(app, 'bob');
    await acquire(app, ada, key);
    await app.runJobs();
    const { data } = (await app.api.get(`/v1/licenses/${id}/refusals?code=user_not_allowed`, ada.accessToken)).body;
    expect(data).toMatchObject([{ code: 'user_not_allowed', user_id: ada.userId, count: 1 }]);
  });
});

describe('the heartbeats of a seat', () => {
  const setPolicy = (app: TestApp, product: string, policy: object) =>
    execute(app.database, 'update products set policy = $2 where key = $1', [product, JSON.stringify(policy)]);

  it('come from the product if neither the license nor its plan sets them, from the next heartbeat on', async ({
    app,
  }) => {
    const ada = await app.register();
    const product = `product ${hardware()}`;
    const { key } = await app.issueLicense(ada.organizationId, { product, maxSeats: 20 });
    const taken = (await acquire(app, ada, key)).body.data;
    expect([taken.heartbeat_interval, await timeoutOf(app, taken.session_id)]).toEqual([60, 180]);

    await setPolicy(app, product, { heartbeat_interval: 20, session_timeout: 50 });
    const beaten = (await beat(app, ada, taken.session_id)).body;
    const due = Date.parse(beaten.data.next_heartbeat_due);
    expect(due).toBeLessThan(Date.parse(beaten.meta.timestamp) + 21_000);
    expect(await timeoutOf(app, taken.session_id)).toBe(50);
    const alone = (await acquire(app, ada, key)).body.data;
    expect([alone.heartbeat_interval, await timeoutOf(app, alone.session_id)]).toEqual([20, 50]);
    const together = await Promise.all(Array.from({ length: 7 }, () => acquire(app, ada, key)));
    for (const { body } of together) {
      expect([body.data.heartbeat_interval, await timeoutOf(app, body.data.session_id)]).toEqual([20, 50]);
    }
  });

  it('come from the license before the product', async ({ app }) => {
    const ada = await app.register();
    const product = `product ${hardware()}`;
    const { key } = await app.issueLicense(ada.organizationId, { product, policy: { heartbeat_interval: 30 } });
    await setPolicy(app, product, { heartbeat_interval: 20, session_timeout: 50 });
    const taken = (await acquire(app, ada, key)).body.data;
    expect([taken.heartbeat_interval, await timeoutOf(app, taken.session_id)]).toEqual([30, 50]);
  });

  it('come from the setting for a license whose product an older process did not record', async ({ app }) => {
    const ada = await app.register();
    const product = `product ${hardware()}`;
    const { key } = await app.issueLicense(ada.organizationId, { product });
    await execute(app.database, 'delete from products where key = $1', [product]);
    const taken = (await acquire(app, ada, key)).body.data;
    expect([taken.heartbeat_interval, await timeoutOf(app, taken.session_id)]).toEqual([60, 180]);
    expect((await beat(app, ada, taken.session_id)).status).toBe(200);
  });
});
