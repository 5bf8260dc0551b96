import { randomBytes } from 'node:crypto';
import { Compile } from 'typebox/compile';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member } from '../../../test/harness/index.ts';

/** A user whose license, in 95 days, went through everything that happens to a license automatically. */
const it = createTest().extend('owner', { scope: 'file' }, async ({ app }): Promise<Member> => {
  const owner = await app.register();
  const license = await app.issueLicense(owner.organizationId, { maxSeats: 2 });
  const take = () =>
    app.api.post('/v1/licenses/acquire', owner.accessToken, {
      license_key: license.key,
      hardware_id: `hw_${randomBytes(16).toString('hex')}`,
    });
  const first = (await take()).body.data.session_id;
  await take();
  await app.api.post('/v1/licenses/release', owner.accessToken, { session_id: first });
  for (const seconds of [300, 85 * 86_400, 10 * 86_400]) {
    await app.moveClock(owner.organizationId, seconds);
    await app.runJobs();
  }
  return owner;
});

describe('events', () => {
  it('are listed newest first, in the same envelope as webhooks, and every object matches its published schema', async ({
    app,
    owner,
  }) => {
    const { data } = (await app.api.get('/v1/events?limit=100', owner.accessToken)).body;
    expect(data.map((each: { type: string }) => each.type).toReversed()).toEqual([
      'license.seat.acquired',
      'license.seat.acquired',
      'license.seats.exhausted',
      'license.seat.released',
      'license.seat.timeout',
      'license.expiring',
      'license.expired',
    ]);
    const { data: types } = (await app.api.get('/v1/event-types?limit=100', owner.accessToken)).body;
    for (const event of data) {
      const type = types.find((each: { type: string }) => each.type === event.type);
      const validator = Compile(type.schema);
      expect([...validator.Errors(event.data.object)]).toEqual([]);
      expect(event.organization_id).toBe(owner.organizationId);
      const same = await app.api.get(`/v1/events/${event.id}`, owner.accessToken);
      expect(same.body.data).toEqual(event);
    }
  });

  it('describe an acquired seat with exactly the specified members', async ({ app, owner }) => {
    const { data } = (await app.api.get('/v1/events?type=license.seat.acquired', owner.accessToken)).body;
    expect(Object.keys(data[0].data.object).toSorted()).toEqual([
      'active_seats',
      'hardware_id',
      'license_id',
      'max_seats',
      'session_id',
      'user_id',
    ]);
  });

  it('are paged by creation without gaps, in either order, and filtered by type and time', async ({ app, owner }) => {
    for (const sort of ['created', '-created']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = (await app.api.get(`/v1/events?limit=3&sort=${sort}${cursor}`, owner.accessToken)).body;
        seen.push(...page.data.map((each: { id: string }) => each.id));
        cursor = page.pagination.next_cursor === null ? '' : `&cursor=${page.pagination.next_cursor}`;
      } while (cursor !== '');
      expect(seen).toHaveLength(7);
      expect(seen).toEqual(sort === 'created' ? seen.toSorted() : seen.toSorted().toReversed());
    }
    const none = await app.api.get('/v1/events?created_before=2020-01-01T00:00:00Z', owner.accessToken);
    expect(none.body).toMatchObject({ data: [], pagination: { has_more: false, next_cursor: null } });
    expect((await app.api.get('/v1/events?type=license.nope', owner.accessToken)).body.error.details.reason).toBe(
      'enum',
    );
  });

  it('are never visible to another organization, or to a token without the scope', async ({ app, owner }) => {
    const eve = await app.register('Eve');
    expect((await app.api.get('/v1/events', eve.accessToken)).body.data).toEqual([]);
    const [event] = (await app.api.get('/v1/events', owner.accessToken)).body.data;
    expect((await app.api.get(`/v1/events/${event.id}`, eve.accessToken)).status).toBe(404);
    const { token } = (
      await app.api.post('/v1/api-tokens', owner.accessToken, { name: 'seats', scopes: ['manage:licenses'] })
    ).body.data;
    const refused = await app.api.get('/v1/events', token);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: 'insufficient_scope', details: { required_scope: 'read:org' } });
    expect((await app.api.get('/v1/event-types', token)).status).toBe(200);
    expect((await app.api.get('/v1/events')).status).toBe(401);
  });
});
