import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const it = createTest()
  // An organization whose log starts here, without the entries of the registration.
  .extend(
    'organizationId',
    { scope: 'file' },
    async ({ app, admin }): Promise<string> =>
      (await app.api.post('/v1/orgs', admin.accessToken, { name: 'Audited' })).body.data.id,
  )
  .extend(
    'read',
    ({ app, admin, organizationId }) =>
      (query = '', token: string | undefined = admin.accessToken) =>
        app.api.get(`/v1/audit-log${query}`, token, { 'x-organization-id': organizationId }),
  );
it.beforeAll(async ({ app, admin, organizationId }) => {
  for (const name of ['One', 'Two', 'Three']) {
    await app.api.call('PATCH', `/v1/orgs/${organizationId}`, { token: admin.accessToken, body: { name } });
  }
});

describe('GET /v1/audit-log', () => {
  it('200: shows who did what, from where and with what, newest first', async ({ admin, organizationId, read }) => {
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
        id: admin.userId,
        email: null,
        user_id: admin.userId,
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

  it('200: names the API token that an action used', async ({ app, admin, organizationId, read }) => {
    const headers = { 'x-organization-id': organizationId };
    const input = { name: 'a token', scopes: ['admin:org'] };
    const made = (await app.api.post('/v1/api-tokens', admin.accessToken, input, headers)).body.data;
    const body = { slug: 'by-a-token' };
    await app.api.call('PATCH', `/v1/orgs/${organizationId}`, { token: made.token, body });
    const [entry] = (await read('?action=organization.updated&limit=1')).body.data;
    expect(entry.actor).toEqual({
      type: 'user',
      id: admin.userId,
      email: null,
      user_id: admin.userId,
      credential: { kind: 'api', id: made.id },
    });
    expect((await read('', made.token)).status).toBe(200);
  });

  it('200: pages and filters', async ({ admin, organizationId, read }) => {
    const first = (await read('?limit=2&action=organization.updated&sort=created_at')).body;
    expect(first.data.map((each: { after: { name: string } }) => each.after.name)).toEqual(['One', 'Two']);
    const cursor = first.pagination.next_cursor;
    const next = (await read(`?limit=2&action=organization.updated&sort=created_at&cursor=${cursor}`)).body;
    expect(next.data[0].after.name).toBe('Three');
    const count = async (query: string) => (await read(`?limit=100&${query}`)).body.data.length;
    const all = await count('');
    expect(await count(`actor_user_id=${admin.userId}`)).toBe(all);
    expect(await count('actor_user_id=usr_unknown')).toBe(0);
    expect(await count(`target_id=${organizationId}&created_after=2020-01-01T00:00:00Z`)).toBeGreaterThanOrEqual(4);
    expect(await count('action=organization.created')).toBe(1);
    expect(await count('created_before=2020-01-01T00:00:00Z')).toBe(0);
  });

  it('400, 401, 403 by role and by scope', async ({ app, admin, organizationId, read }) => {
    expect((await read('?sort=action')).status).toBe(400);
    expect((await read('?status=x')).status).toBe(400);
    expect((await app.api.get('/v1/audit-log')).status).toBe(401);
    const billing = await joinOrganization(app, { ...admin, organizationId }, 'billing');
    expect((await read('', billing.accessToken)).body.error.details).toEqual({ required_role: 'admin' });
    const headers = { 'x-organization-id': organizationId };
    const input = { name: 'a token', scopes: ['read:org'] };
    const { token } = (await app.api.post('/v1/api-tokens', admin.accessToken, input, headers)).body.data;
    expect((await read('', token)).body.error.code).toBe('insufficient_scope');
  });

  it('shows nothing of another organization, and returns 404 for a header with one', async ({
    app,
    organizationId,
    read,
  }) => {
    const stranger = await app.register();
    const log = (await app.api.get('/v1/audit-log?limit=100', stranger.accessToken)).body.data;
    expect(JSON.stringify(log)).not.toContain(organizationId);
    expect((await read('', stranger.accessToken)).status).toBe(404);
  });

  it('has no method that changes or removes an entry', async ({ app, admin, read }) => {
    const [{ id }] = (await read()).body.data;
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      expect((await app.api.call(method, '/v1/audit-log', { token: admin.accessToken })).status).toBe(405);
      expect((await app.api.call(method, `/v1/audit-log/${id}`, { token: admin.accessToken })).status).toBe(404);
    }
  });
});
