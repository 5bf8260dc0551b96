import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { plantDeliveries } from '../../../test/harness/plant-deliveries.ts';
import { type PlantedEndpoint, plantEndpoint } from '../../../test/harness/plant-endpoint.ts';

const it = createTest().extend('endpoint', ({ app, ada }) =>
  plantEndpoint(app, ada.organizationId, 'https://93.184.216.34/hooks'),
);

const pathOf = (endpoint: PlantedEndpoint, id = '') =>
  `/v1/webhooks/${endpoint.id}/deliveries${id === '' ? '' : `/${id}`}`;
const list = async (app: TestApp, ada: Member, endpoint: PlantedEndpoint, query = '', token = ada.accessToken) =>
  (await app.api.get(`${pathOf(endpoint)}?${query}`, token)).body;
const idsOf = async (app: TestApp, ada: Member, endpoint: PlantedEndpoint, query: string) =>
  (await list(app, ada, endpoint, query)).data.map((each: { id: string }) => each.id);

describe('the deliveries of an endpoint', () => {
  it('are listed newest first, each as documented', async ({ app, ada, endpoint }) => {
    const [failed] = await plantDeliveries(app, endpoint, { status: 'failed', ageSeconds: 60 });
    const [held] = await plantDeliveries(app, endpoint, { status: 'held', ageSeconds: 30 });
    const { data, pagination } = await list(app, ada, endpoint);
    expect(data.map((each: { id: string }) => each.id)).toEqual([held?.id, failed?.id]);
    expect(data[1]).toEqual({
      id: failed?.id,
      webhook_id: endpoint.id,
      event_id: failed?.eventId,
      event_type: 'license.seat.acquired',
      status: 'failed',
      attempt_count: 1,
      last_status_code: 500,
      last_error: 'http_status',
      last_attempt_at: data[1].created_at,
      next_attempt_at: null,
      created_at: expect.stringMatching(/Z$/),
      is_test: false,
      sequence: null,
    });
    expect(data[0]).toMatchObject({
      attempt_count: 0,
      last_status_code: null,
      last_error: null,
      last_attempt_at: null,
    });
    expect(pagination).toEqual({ has_more: false, next_cursor: null });
  });

  it('are paged without gaps, in either order, while more arrive', async ({ app, ada, endpoint }) => {
    const made = await plantDeliveries(app, endpoint, { status: 'succeeded', count: 7 });
    for (const sort of ['created_at', '-created_at']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await list(app, ada, endpoint, `limit=3&sort=${sort}${cursor}`);
        seen.push(...page.data.map((each: { id: string }) => each.id));
        cursor = page.pagination.next_cursor === null ? '' : `&cursor=${page.pagination.next_cursor}`;
      } while (cursor !== '');
      const ids = made.map((each) => each.id);
      expect(seen).toEqual(sort === 'created_at' ? ids : ids.toReversed());
    }
  });

  it('are filtered by status, type, event and time, and by several of these', async ({ app, ada, endpoint }) => {
    const terms = [
      { status: 'succeeded', type: 'license.seat.acquired', ageSeconds: 400 },
      { status: 'failed', type: 'license.seat.released', ageSeconds: 300 },
      { status: 'held', type: 'license.seat.released', ageSeconds: 200 },
      { status: 'pending', type: 'license.seat.acquired', ageSeconds: 100 },
    ] as const;
    const made: Array<{ id: string; eventId: string }> = [];
    for (const each of terms) {
      made.push(...(await plantDeliveries(app, endpoint, each)));
    }
    const [succeeded, failed, held, pending] = made;
    for (const [index, { status }] of terms.entries()) {
      expect(await idsOf(app, ada, endpoint, `status=${status}`)).toEqual([made[index]?.id]);
    }
    expect(await idsOf(app, ada, endpoint, 'event_type=license.seat.released')).toEqual([held?.id, failed?.id]);
    expect(await idsOf(app, ada, endpoint, 'event_type=license.seat.released&status=failed')).toEqual([failed?.id]);
    expect(await idsOf(app, ada, endpoint, `event_id=${succeeded?.eventId}`)).toEqual([succeeded?.id]);
    expect(await idsOf(app, ada, endpoint, 'event_id=evt_nothing')).toEqual([]);
    const { data } = await list(app, ada, endpoint, 'sort=created_at');
    expect(await idsOf(app, ada, endpoint, `created_after=${data[1].created_at}`)).toEqual([pending?.id, held?.id]);
    expect(await idsOf(app, ada, endpoint, `created_before=${data[1].created_at}`)).toEqual([succeeded?.id]);
  });

  it.for([
    ['status=lost', 'status', 'enum'],
    ['event_type=license.nope', 'event_type', 'enum'],
    ['created_after=yesterday', 'created_after', 'format'],
    ['sort=status', 'sort', 'enum'],
    ['url=x', 'url', 'unknown'],
  ])('refuse %s', async ([query, field, reason], { app, ada, endpoint }) => {
    const { status, body } = await app.api.get(`${pathOf(endpoint)}?${query}`, ada.accessToken);
    expect([status, body.error.details]).toEqual([400, { field, reason }]);
  });

  it('show all times by the clock of their organization', async ({ app, ada, endpoint }) => {
    await app.moveClock(ada.organizationId, 1_000_000);
    await plantDeliveries(app, endpoint, { status: 'pending', ageSeconds: 0, dueInSeconds: 60 });
    const [{ created_at, next_attempt_at }] = (await list(app, ada, endpoint)).data;
    const seconds = (Date.parse(next_attempt_at) - Date.parse(created_at)) / 1000;
    expect(seconds).toBeCloseTo(60, 0);
    expect((Date.parse(created_at) - Date.now()) / 1000).toBeGreaterThan(999_000);
  });
});

describe('a single delivery', () => {
  it('has its attempts, oldest first, and the event as it is sent', async ({ app, ada, endpoint }) => {
    const [made] = await plantDeliveries(app, endpoint, { status: 'failed' });
    const { status, body } = await app.api.get(pathOf(endpoint, made?.id), ada.accessToken);
    expect(status).toBe(200);
    const [listed] = (await list(app, ada, endpoint)).data;
    expect(body.data).toMatchObject(listed);
    expect(body.data.attempts).toEqual([
      {
        number: 1,
        at: listed.created_at,
        duration_ms: 5,
        status_code: 500,
        error: 'http_status',
        response_excerpt: null,
        address: null,
        trigger: 'scheduled',
      },
    ]);
    const event = await app.api.get(`/v1/events/${made?.eventId}`, ada.accessToken);
    expect(body.data.event).toEqual(event.body.data);
  });

  it('has at most the newest hundred of its attempts', async ({ app, ada, endpoint }) => {
    const [made] = await plantDeliveries(app, endpoint, { status: 'failed' });
    await execute(
      app.database,
      `with more as (
        insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms)
        select organization_id, delivery_id, n, endpoint_id, 'manual', started_at, 1
        from webhook_attempts, generate_series(2, 130) n where delivery_id = $1
      )
      update webhook_deliveries set attempts = 129 where id = $1`,
      [made?.id],
    );
    const { attempts } = (await app.api.get(pathOf(endpoint, made?.id), ada.accessToken)).body.data;
    const numbers = attempts.map((each: { number: number }) => each.number);
    // The delivery's count is 129, so the one beyond is from a later moment and not shown.
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 30, 129]);
  });

  it('has no event if that is no longer stored', async ({ app, ada, endpoint }) => {
    const [made] = await plantDeliveries(app, endpoint, { status: 'failed' });
    await execute(app.database, 'delete from events where id = $1', [made?.eventId]);
    expect((await app.api.get(pathOf(endpoint, made?.id), ada.accessToken)).body.data.event).toBeNull();
  });

  it('has the object of a test event, which is stored nowhere else', async ({ app, ada, endpoint }) => {
    const [made] = await plantDeliveries(app, endpoint, { status: 'failed' });
    await execute(
      app.database,
      `with gone as (delete from events where id = $1)
      update webhook_deliveries set test_object = '{"a": 1}' where event_id = $1`,
      [made?.eventId],
    );
    const { is_test, event } = (await app.api.get(pathOf(endpoint, made?.id), ada.accessToken)).body.data;
    expect([is_test, event.data]).toEqual([true, { object: { a: 1 } }]);
  });
});

describe('the history of an endpoint', () => {
  it('is not visible to another organization or under another endpoint', async ({ app, ada, endpoint }) => {
    const [made] = await plantDeliveries(app, endpoint, { status: 'failed' });
    const eve = await app.register('Eve');
    const other = await plantEndpoint(app, ada.organizationId, 'https://93.184.216.34/other');
    const refused = [
      [pathOf(endpoint), eve, 'webhook'],
      [pathOf(endpoint, made?.id), eve, 'webhook'],
      [pathOf(endpoint, 'dlv_nothing'), ada, 'delivery'],
      [`/v1/webhooks/${other.id}/deliveries/${made?.id}`, ada, 'delivery'],
      ['/v1/webhooks/wh_nothing/deliveries', ada, 'webhook'],
    ] as const;
    for (const [path, { accessToken }, resource] of refused) {
      const { status, body } = await app.api.get(path, accessToken);
      expect([path, status, body.error.details]).toEqual([path, 404, { resource }]);
    }
    expect((await app.api.get(`/v1/webhooks/${other.id}/deliveries`, ada.accessToken)).body.data).toEqual([]);
  });

  it('is deleted with the endpoint', async ({ app, ada, endpoint }) => {
    const [made] = await plantDeliveries(app, endpoint, { status: 'failed' });
    await app.api.call('DELETE', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken });
    for (const path of [pathOf(endpoint), pathOf(endpoint, made?.id)]) {
      expect((await app.api.get(path, ada.accessToken)).status).toBe(404);
    }
  });

  it('can be read only by admins, with a token that has the scope', async ({ app, ada, endpoint }) => {
    const member = await joinOrganization(app, ada);
    expect((await app.api.get(pathOf(endpoint))).status).toBe(401);
    const headers = { 'x-organization-id': ada.organizationId };
    const asMember = await app.api.call('GET', pathOf(endpoint), { token: member.accessToken, headers });
    expect([asMember.status, asMember.body.error.code]).toEqual([403, 'forbidden']);
    const token = await createApiToken(app, ada, ['manage:licenses']);
    const scoped = await app.api.get(pathOf(endpoint), token);
    expect([scoped.status, scoped.body.error.details]).toEqual([403, { required_scope: 'read:org' }]);
  });

  it('can be read while the endpoint is locked', async ({ app, ada, endpoint }) => {
    const [made] = await plantDeliveries(app, endpoint, { status: 'failed' });
    await app.database.transaction(async (tx) => {
      await execute(tx, 'select from webhook_endpoint_states where endpoint_id = $1 for update', [endpoint.id]);
      for (const path of [pathOf(endpoint), pathOf(endpoint, made?.id)]) {
        expect((await app.api.get(path, ada.accessToken)).status).toBe(200);
      }
    });
  });
});
