import { randomBytes } from 'node:crypto';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';

let test: TestApp;
let ada: Member;

beforeAll(async () => {
  test = await startTestApp();
  ada = await test.register();
  const license = await test.issueLicense(ada.organizationId, { maxSeats: 2 });
  const take = () =>
    test.api.post('/v1/licenses/acquire', ada.accessToken, {
      license_key: license.key,
      hardware_id: `hw_${randomBytes(16).toString('hex')}`,
    });
  const first = (await take()).body.data.session_id;
  await take();
  await test.api.post('/v1/licenses/release', ada.accessToken, { session_id: first });
  await test.moveClock(ada.organizationId, 300);
  await test.runJobs();
  await test.moveClock(ada.organizationId, 85 * 86_400);
  await test.runJobs();
  await test.moveClock(ada.organizationId, 10 * 86_400);
  await test.runJobs();
});
afterAll(() => test.close());

describe('events', () => {
  it('are listed newest first, in the envelope that webhooks carry, and every object fits its published schema', async () => {
    const { data } = (await test.api.get('/v1/events?limit=100', ada.accessToken)).body;
    expect(data.map((each: { type: string }) => each.type).toReversed()).toEqual([
      'license.seat.acquired',
      'license.seat.acquired',
      'license.seats.exhausted',
      'license.seat.released',
      'license.seat.timeout',
      'license.expiring',
      'license.expired',
    ]);
    const { data: types } = (await test.api.get('/v1/event-types?limit=100', ada.accessToken)).body;
    for (const event of data) {
      const type = types.find((each: { type: string }) => each.type === event.type);
      const validator = Compile(type.schema);
      expect([...validator.Errors(event.data.object)]).toEqual([]);
      expect(event.organization_id).toBe(ada.organizationId);
      const same = await test.api.get(`/v1/events/${event.id}`, ada.accessToken);
      expect(same.body.data).toEqual(event);
    }
  });

  it('tell a taken seat with exactly the members that the specification lists', async () => {
    const { data } = (await test.api.get('/v1/events?type=license.seat.acquired', ada.accessToken)).body;
    expect(Object.keys(data[0].data.object).toSorted()).toEqual([
      'active_seats',
      'hardware_id',
      'license_id',
      'max_seats',
      'session_id',
      'user_id',
    ]);
  });

  it('are paged by creation without gaps, either way, and filtered by type and time', async () => {
    for (const sort of ['created', '-created']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = (await test.api.get(`/v1/events?limit=3&sort=${sort}${cursor}`, ada.accessToken)).body;
        seen.push(...page.data.map((each: { id: string }) => each.id));
        cursor = page.pagination.next_cursor === null ? '' : `&cursor=${page.pagination.next_cursor}`;
      } while (cursor !== '');
      expect(seen).toHaveLength(7);
      expect(seen).toEqual(sort === 'created' ? seen.toSorted() : seen.toSorted().toReversed());
    }
    const none = await test.api.get('/v1/events?created_before=2020-01-01T00:00:00Z', ada.accessToken);
    expect(none.body).toMatchObject({ data: [], pagination: { has_more: false, next_cursor: null } });
    expect((await test.api.get('/v1/events?type=license.nope', ada.accessToken)).body.error.details.reason).toBe(
      'enum',
    );
  });

  it('are never visible to another organization, nor to a token without the scope', async () => {
    const eve = await test.register('Eve');
    expect((await test.api.get('/v1/events', eve.accessToken)).body.data).toEqual([]);
    const [event] = (await test.api.get('/v1/events', ada.accessToken)).body.data;
    expect((await test.api.get(`/v1/events/${event.id}`, eve.accessToken)).status).toBe(404);
    const { token } = (
      await test.api.post('/v1/api-tokens', ada.accessToken, { name: 'seats', scopes: ['manage:licenses'] })
    ).body.data;
    const refused = await test.api.get('/v1/events', token);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: 'insufficient_scope', details: { required_scope: 'read:org' } });
    expect((await test.api.get('/v1/event-types', token)).status).toBe(200);
    expect((await test.api.get('/v1/events')).status).toBe(401);
  });
});
