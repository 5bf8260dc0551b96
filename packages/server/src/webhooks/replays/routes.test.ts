import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startAppForTest, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { plantDeliveries } from '../../../test/harness/plant-deliveries.ts';
import { type PlantedEndpoint, plantEndpoint } from '../../../test/harness/plant-endpoint.ts';

let test: TestApp;
let ada: Member;
let endpoint: PlantedEndpoint;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  ada = await test.register();
  endpoint = await plantEndpoint(test, ada.organizationId, 'https://93.184.216.34/hooks');
});

const SINCE = '2020-01-01T00:00:00.000Z';
const pathOf = (id = '') => `/v1/webhooks/${endpoint.id}/replays${id === '' ? '' : `/${id}`}`;
const start = (input: object = {}, token = ada.accessToken, headers = {}) =>
  test.api.post(`/v1/webhooks/${endpoint.id}/replay`, token, { since: SINCE, ...input }, headers);
const cancel = (id: string, token = ada.accessToken) => test.api.post(`${pathOf(id)}/cancel`, token, {});

describe('starting a replay', () => {
  it('returns 201 with the replay, which is then listed and can be read', async () => {
    const { status, body } = await start();
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^rpl_/),
      webhook_id: endpoint.id,
      status: 'running',
      since: SINCE,
      until: expect.stringMatching(/Z$/),
      only_failed: true,
      total: 0,
      replayed: 0,
      created_at: expect.stringMatching(/Z$/),
      completed_at: null,
    });
    expect((await test.api.get(pathOf(body.data.id), ada.accessToken)).body.data).toEqual(body.data);
    expect((await test.api.get(pathOf(), ada.accessToken)).body.data).toEqual([body.data]);
  });

  it.each([
    [{ since: undefined }, 400, 'since', 'required'],
    [{ since: 'yesterday' }, 400, 'since', 'format'],
    [{ since: '2026-06-30T23:59:60Z' }, 400, 'since', 'format'],
    [{ until: 5 }, 400, 'until', 'type'],
    [{ only_failed: 'yes' }, 400, 'only_failed', 'type'],
    [{ everything: true }, 400, 'everything', 'unknown'],
    [{ since: '2020-01-02T00:00:00Z', until: SINCE }, 422, 'since', 'after_until'],
    [{ since: '2999-01-01T00:00:00Z' }, 422, 'since', 'after_until'],
  ])('refuses %j', async (input, status, field, reason) => {
    const answer = await start(input);
    expect([answer.status, answer.body.error.details]).toEqual([status, { field, reason }]);
  });

  it('ends its span now, by the clock of the organization', async () => {
    await test.moveClock(ada.organizationId, 1_000_000);
    const { data } = (await start({ until: '2999-01-01T00:00:00Z' })).body;
    expect((Date.parse(data.until) - Date.now()) / 1_000).toBeGreaterThan(999_000);
    expect(Date.parse(data.until)).toBeLessThanOrEqual(Date.parse(data.created_at));
  });

  it('is refused while another replay of the endpoint runs, even for simultaneous requests', async () => {
    await Promise.all(Array.from({ length: 10 }, () => test.api.get('/v1/me', ada.accessToken)));
    const answers = await Promise.all(Array.from({ length: 20 }, () => start()));
    expect(answers.filter((each) => each.status === 201)).toHaveLength(1);
    expect(answers.filter((each) => each.body.error?.code === 'conflict')).toHaveLength(19);
    const other = await plantEndpoint(test, ada.organizationId, 'https://93.184.216.34/other');
    const elsewhere = await test.api.post(`/v1/webhooks/${other.id}/replay`, ada.accessToken, { since: SINCE });
    expect(elsewhere.status).toBe(201);
  });

  it('is allowed 20 times an hour per user of an organization, including dry runs', async () => {
    const limited = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    const bob = await limited.register('Bob');
    const his = await plantEndpoint(limited, bob.organizationId, 'https://93.184.216.34/hooks');
    const other = await plantEndpoint(limited, bob.organizationId, 'https://93.184.216.34/other');
    const ask = (id: string, isDryRun: boolean) =>
      limited.api.post(`/v1/webhooks/${id}/replay`, bob.accessToken, { since: SINCE, dry_run: isDryRun });
    expect((await ask(his.id, false)).status).toBe(201);
    for (let n = 1; n < 20; n += 1) {
      expect((await ask(his.id, true)).status).toBe(200);
    }
    for (const isDryRun of [true, false]) {
      const { status, body, headers } = await ask(other.id, isDryRun);
      expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded']);
      expect(headers.get('ratelimit-policy')).toContain('"replay-webhook";q=20;w=3600');
    }
    expect((await limited.api.get(`/v1/webhooks/${his.id}/replays`, bob.accessToken)).status).toBe(200);
  });

  it.each(['paused', 'disabled'])('is refused while the endpoint is %s', async (status) => {
    await execute(test.database, 'update webhook_endpoint_states set status = $2 where endpoint_id = $1', [
      endpoint.id,
      status,
    ]);
    const { body } = await start();
    expect(body.error).toMatchObject({ code: 'conflict', message: expect.stringContaining(status) });
  });

  it('makes one replay per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [await start({}, undefined, headers), await start({}, undefined, headers)];
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
  });

  it('and canceling it are recorded in the audit log', async () => {
    const { data: started } = (await start()).body;
    const { data: canceled } = (await cancel(started.id)).body;
    const entries = (await test.api.get('/v1/audit-log', ada.accessToken)).body.data;
    const target = { type: 'webhook_replay', id: started.id };
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'webhook.replay_canceled', target, before: started, after: canceled },
      { action: 'webhook.replay_started', target, after: started },
    ]);
  });
});

describe('the replays of an endpoint', () => {
  it('are paged newest first and filtered by status and time', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { id } = (await start()).body.data;
      made.unshift(id);
      if (n < 4) {
        await cancel(id);
      }
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = (await test.api.get(`${pathOf()}?limit=2${cursor}`, ada.accessToken)).body;
      seen.push(...page.data.map((each: { id: string }) => each.id));
      cursor = page.pagination.next_cursor === null ? '' : `&cursor=${page.pagination.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(made);
    const idsOf = async (query: string) =>
      (await test.api.get(`${pathOf()}?${query}`, ada.accessToken)).body.data.map((each: { id: string }) => each.id);
    expect(await idsOf('status=running')).toEqual(made.slice(0, 1));
    expect(await idsOf('status=canceled&sort=created_at')).toEqual(made.slice(1).toReversed());
    expect(await idsOf('created_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await idsOf('created_after=2020-01-01T00:00:00Z')).toEqual(made);
  });

  it('are not visible to others, to members, or without a token that has the scope', async () => {
    await plantDeliveries(test, endpoint, { status: 'held' });
    const { id } = (await start()).body.data;
    const eve = await test.register('Eve');
    const member = await joinOrganization(test, ada);
    const input = { name: 'reader', scopes: ['read:org'] };
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    const other = await plantEndpoint(test, ada.organizationId, 'https://93.184.216.34/other');
    const asMember = { 'x-organization-id': ada.organizationId };
    const found = [
      await start({}, eve.accessToken),
      await cancel(id, eve.accessToken),
      await test.api.get(pathOf(), eve.accessToken),
      await test.api.get(pathOf(id), eve.accessToken),
      await test.api.get(pathOf('rpl_nothing'), ada.accessToken),
      await cancel('rpl_nothing'),
      await test.api.post(`/v1/webhooks/${other.id}/replays/${id}/cancel`, ada.accessToken, {}),
      await start({}, member.accessToken, asMember),
      await start({}, token),
      await cancel(id, token),
      await test.api.get(pathOf()),
    ].map(({ status, body }) => [status, body.error.details?.resource ?? body.error.code]);
    expect(found).toEqual([
      [404, 'webhook'],
      [404, 'webhook'],
      [404, 'webhook'],
      [404, 'webhook'],
      [404, 'replay'],
      [404, 'replay'],
      [404, 'replay'],
      [403, 'forbidden'],
      [403, 'insufficient_scope'],
      [403, 'insufficient_scope'],
      [401, 'invalid_token'],
    ]);
    expect((await test.api.get(pathOf(), token)).body.data).toMatchObject([{ id, status: 'running' }]);
  });
});
