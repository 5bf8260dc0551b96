import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { changeLicense } from './change-license.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const acquire = (app: TestApp, ada: Member, key: string) =>
  app.api.post('/v1/licenses/acquire', ada.accessToken, {
    license_key: key,
    hardware_id: `hw_${randomBytes(16).toString('hex')}`,
  });
const read = async (app: TestApp, ada: Member, id: string) =>
  (await app.api.get(`/v1/licenses/${id}`, ada.accessToken)).body.data;
const lifetimeOf = (token: string) => {
  const { iat = 0, exp = 0 } = decodeJwt(token);
  return exp - iat;
};

async function issuePerpetual(app: TestApp, terms: object = {}) {
  const ada = await app.register();
  return { ada, ...(await app.issueLicense(ada.organizationId, { expiresAt: null, ...terms })) };
}

describe('a perpetual license', () => {
  it('shows no expiry, is active, and issues tokens with the full lifetime', async ({ app }) => {
    const { ada, id, key } = await issuePerpetual(app);
    expect(await read(app, ada, id)).toMatchObject({ status: 'active', expires_at: null });
    const taken = await acquire(app, ada, key);
    expect([taken.status, lifetimeOf(taken.body.data.license_token)]).toEqual([201, 86_400]);
  });

  it('answers heartbeats with a new token with the full lifetime', async ({ app }) => {
    const { ada, key } = await issuePerpetual(app);
    const { session_id } = (await acquire(app, ada, key)).body.data;
    const half = `update seat_slots set token_issued_at = token_issued_at - interval '13 hours',
      token_expires_at = token_expires_at - interval '13 hours' where session_id = $1`;
    await execute(app.database, half, [session_id]);
    const heartbeat = await app.api.post('/v1/licenses/heartbeat', ada.accessToken, { session_id });
    expect(lifetimeOf(heartbeat.body.data.license_token)).toBe(86_400);
  });

  it('sorts after all others by expiry, on every page, and matches no expires_before filter', async ({ app, ada }) => {
    const ids: string[] = [];
    for (const expiresAt of [null, inDays(9), null, inDays(3), null]) {
      ids.push((await app.issueLicense(ada.organizationId, { expiresAt })).id);
    }
    const [first = '', nine = '', third = '', three = '', fifth = ''] = ids;
    const list = async (query: string) => {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const path = `/v1/licenses?limit=1&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const { data, pagination } = (await app.api.get(path, ada.accessToken)).body;
        found.push(...data.map((license: { id: string }) => license.id));
        if (!pagination.has_more) {
          return found;
        }
        cursor = pagination.next_cursor;
      }
    };
    expect(await list('sort=expires_at')).toEqual([three, nine, first, third, fifth]);
    expect(await list('sort=-expires_at')).toEqual([fifth, third, first, nine, three]);
    expect(await list('sort=expires_at&expires_before=9999-12-31T00:00:00Z')).toEqual([three, nine]);
    expect(await list('sort=expires_at&status=active')).toHaveLength(5);
    expect(await list('sort=expires_at&status=expired')).toEqual([]);
  });

  it('never warns and never expires, however far the clock moves', async ({ app }) => {
    const { ada, id, key } = await issuePerpetual(app, { maxSeats: 1 });
    await app.moveClock(ada.organizationId, 200 * 365 * 86_400);
    await app.runJobs();
    expect((await acquire(app, ada, key)).status).toBe(201);
    const events = await execute<{ type: string; object: { expires_at?: unknown } }>(
      app.database,
      `select type, object from events where object ->> 'license_id' = $1 order by id`,
      [id],
    );
    expect(events.map((event) => event.type)).toEqual(['license.seat.acquired', 'license.seats.exhausted']);
    expect(events[1]?.object.expires_at).toBeNull();
  });

  it('does not block time travel', async () => {
    const sandbox = await startAppForTest({ environment: 'sandbox' });
    const ada = await sandbox.register();
    const { id } = await sandbox.issueLicense(ada.organizationId, { expiresAt: null });
    const year = { seconds: 365 * 86_400 };
    const moved = await sandbox.api.post('/v1/sandbox/clock/advance', ada.accessToken, year);
    expect([moved.status, moved.body.data.happened]).toEqual([200, []]);
    const { data } = (await sandbox.api.get(`/v1/licenses/${id}`, ada.accessToken)).body;
    expect(data).toMatchObject({ status: 'active', expires_at: null });
  });

  it('can be given an expiry, and a license with an expiry can become perpetual', async ({ app }) => {
    const { ada, id, key } = await issuePerpetual(app);
    const ended = await changeLicense(createSilentLicenseTools(app.database), id, {
      kind: 'extend',
      expiresAt: inDays(-1),
    });
    expect(ended).toMatchObject({ status: 'expired' });
    expect((await acquire(app, ada, key)).body.error.code).toBe('license_expired');
    const forever = await changeLicense(createSilentLicenseTools(app.database), id, {
      kind: 'extend',
      expiresAt: null,
    });
    expect(forever).toMatchObject({ status: 'active', expires_at: null });
    expect((await acquire(app, ada, key)).status).toBe(201);
  });

  it('counts its seats in the usage', async ({ app }) => {
    const { ada } = await issuePerpetual(app, { maxSeats: 7 });
    const { body } = await app.api.get('/v1/usage', ada.accessToken);
    expect(body.data.seats.included).toBe(7);
  });
});

describe('the features of a license', () => {
  it('are booleans, numbers and strings, shown everywhere as given', async ({ app }) => {
    const features = { ai_assistance: true, projects: 20, ratio: 0.5, edition: 'studio' };
    const { ada, id, key } = await issuePerpetual(app, { features });
    expect((await read(app, ada, id)).features).toEqual(features);
    const { data } = (await acquire(app, ada, key)).body;
    expect(data.features).toEqual(features);
    expect(decodeJwt(data.license_token).features).toEqual(features);
  });
});
