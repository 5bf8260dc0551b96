import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

let test: TestApp;
let ada: Member;
let organizationId: string;

beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register();
  // An organization whose log begins here, without the entries of the registration.
  organizationId = (await test.api.post('/v1/orgs', ada.accessToken, { name: 'Audited' })).body.data.id;
  for (const name of ['One', 'Two', 'Three']) {
    await test.api.call('PATCH', `/v1/orgs/${organizationId}`, { token: ada.accessToken, body: { name } });
  }
});
afterAll(() => test.close());

const read = (query = '', token: string | undefined = ada.accessToken) =>
  test.api.get(`/v1/audit-log${query}`, token, { 'x-organization-id': organizationId });

describe('GET /v1/audit-log', () => {
  it('200: tells who did what, from where and with what, newest first', async () => {
    const { data } = (await read()).body;
    expect(data.map((each: { action: string }) => each.action)).toEqual([
      'organization.updated',
      'organization.updated',
      'organization.updated',
      'organization.created',
    ]);
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^audit_/),
      action: 'organization.updated',
      actor: {
        type: 'user',
        id: ada.userId,
        email: null,
        user_id: ada.userId,
        credential: { kind: 'session', id: expect.stringMatching(/^login_/) },
      },
      request_id: expect.stringMatching(/^req_/),
      client_address: expect.stringContaining('127.0.0.1'),
      target: { type: 'organization', id: organizationId },
      before: { name: 'Two', slug: 'audited', billing_details: null },
      after: { name: 'Three', slug: 'audited', billing_details: null },
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('200: names the API token that something was done with', async () => {
    const headers = { 'x-organization-id': organizationId };
    const input = { name: 'a token', scopes: ['admin:org'] };
    const made = (await test.api.post('/v1/api-tokens', ada.accessToken, input, headers)).body.data;
    const body = { slug: 'by-a-token' };
    await test.api.call('PATCH', `/v1/orgs/${organizationId}`, { token: made.token, body });
    const [entry] = (await read('?action=organization.updated&limit=1')).body.data;
    expect(entry.actor).toEqual({
      type: 'user',
      id: ada.userId,
      email: null,
      user_id: ada.userId,
      credential: { kind: 'api', id: made.id },
    });
    expect((await read('', made.token)).status).toBe(200);
  });

  it('200: pages and filters', async () => {
    const first = (await read('?limit=2&action=organization.updated&sort=created_at')).body;
    expect(first.data.map((each: { after: { name: string } }) => each.after.name)).toEqual(['One', 'Two']);
    const cursor = first.pagination.next_cursor;
    const next = (await read(`?limit=2&action=organization.updated&sort=created_at&cursor=${cursor}`)).body;
    expect(next.data[0].after.name).toBe('Three');
    const count = async (query: string) => (await read(`?limit=100&${query}`)).body.data.length;
    const all = await count('');
    expect(await count(`actor_user_id=${ada.userId}`)).toBe(all);
    expect(await count('actor_user_id=usr_unknown')).toBe(0);
    expect(await count(`target_id=${organizationId}&created_after=2020-01-01T00:00:00Z`)).toBeGreaterThanOrEqual(4);
    expect(await count('action=organization.created')).toBe(1);
    expect(await count('created_before=2020-01-01T00:00:00Z')).toBe(0);
  });

  it('400, 401, 403 by role and by scope', async () => {
    expect((await read('?sort=action')).status).toBe(400);
    expect((await read('?status=x')).status).toBe(400);
    expect((await test.api.get('/v1/audit-log')).status).toBe(401);
    const billing = await joinOrganization(test, { ...ada, organizationId }, 'billing');
    expect((await read('', billing.accessToken)).body.error.details).toEqual({ required_role: 'admin' });
    const headers = { 'x-organization-id': organizationId };
    const input = { name: 'a token', scopes: ['read:org'] };
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input, headers)).body.data;
    expect((await read('', token)).body.error.code).toBe('insufficient_scope');
  });

  it('shows nothing of another organization, and a foreign header is 404', async () => {
    const stranger = await test.register();
    const log = (await test.api.get('/v1/audit-log?limit=100', stranger.accessToken)).body.data;
    expect(JSON.stringify(log)).not.toContain(organizationId);
    expect((await read('', stranger.accessToken)).status).toBe(404);
  });

  it('has nothing that changes or removes an entry', async () => {
    const [{ id }] = (await read()).body.data;
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      expect((await test.api.call(method, '/v1/audit-log', { token: ada.accessToken })).status).toBe(405);
      expect((await test.api.call(method, `/v1/audit-log/${id}`, { token: ada.accessToken })).status).toBe(404);
    }
  });
});
