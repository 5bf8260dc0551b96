import { describe, expect } from 'vitest';
import { createApiToken } from '../../test/harness/create-api-token.ts';
import { createTest } from '../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../test/harness/index.ts';
import { joinOrganization } from '../../test/harness/join-organization.ts';

const it = createTest().extend('stranger', { scope: 'file' }, ({ app }) => app.register());

const create = (app: TestApp, admin: Member, body: unknown, owner = admin) =>
  app.api.post('/v1/orgs', owner.accessToken, body);
const patch = (
  app: TestApp,
  admin: Member,
  body: unknown,
  token: string | undefined = admin.accessToken,
  id = admin.organizationId,
) => app.api.call('PATCH', `/v1/orgs/${id}`, { token, body });
const remove = (app: TestApp, id: string, token: string | undefined, body: unknown) =>
  app.api.call('DELETE', `/v1/orgs/${id}`, { token, body });

describe('POST /v1/orgs', () => {
  it('201: makes the caller its admin, with a slug from its name or the requested one', async ({ app, admin }) => {
    const made = await create(app, admin, { name: '  Blue Door  ' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      name: 'Blue Door',
      slug: 'blue-door',
      role: 'admin',
      member_count: 1,
      billing_details: null,
    });
    expect((await create(app, admin, { name: 'Blue Door' })).body.data.slug).toMatch(/^blue-door-[0-9a-z]{6}$/);
    expect((await create(app, admin, { name: 'Red Door', slug: 'the-red-one' })).body.data.slug).toBe('the-red-one');
    const read = await app.api.get(`/v1/orgs/${made.body.data.id}`, admin.accessToken);
    expect(read.body.data).toEqual(made.body.data);
  });

  it('409: a requested slug that is taken', async ({ app, admin, stranger }) => {
    await create(app, admin, { name: 'First', slug: 'only-once' });
    const answer = await create(app, admin, { name: 'Second', slug: 'only-once' }, stranger);
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: 'already_exists', details: { field: 'slug' } });
  });

  it.for([
    [{}, 'name', 'required'],
    [{ name: ' ' }, 'name', 'format'],
    [{ name: 'x'.repeat(101) }, 'name', 'length'],
    [{ name: 'A', slug: 'Not-This' }, 'slug', 'format'],
    [{ name: 'A', slug: '-a' }, 'slug', 'format'],
    [{ name: 'A', slug: 'a--b' }, 'slug', 'format'],
    [{ name: 'A', slug: 'x'.repeat(64) }, 'slug', 'length'],
    [{ name: 'A', tier: 'pro' }, 'tier', 'unknown'],
  ] as const)('400: %j', async ([body, field, reason], { app, admin }) => {
    const answer = await create(app, admin, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual({ field, reason });
  });

  it('401 without a token, 403 with an API token', async ({ app, admin }) => {
    expect((await app.api.post('/v1/orgs', undefined, { name: 'A' })).status).toBe(401);
    const token = await createApiToken(app, admin, ['admin:org', 'read:org']);
    const refused = await app.api.post('/v1/orgs', token, { name: 'A' });
    expect(refused.status).toBe(403);
    expect(refused.body.error.details).toEqual({ required_token: 'session' });
  });
});

describe('GET /v1/orgs', () => {
  it('200: pages through the organizations of a login in either order, and filters them', async ({ app, admin }) => {
    const owner = await app.register('Zoe');
    for (const name of ['beta', 'alpha', 'gamma']) {
      await create(app, admin, { name }, owner);
    }
    const grace = await joinOrganization(app, owner, 'billing', 'Mia');
    const names = async (query: string, token = owner.accessToken) => {
      const found: string[] = [];
      let cursor = '';
      for (;;) {
        const page = (await app.api.get(`/v1/orgs?limit=2${query}${cursor}`, token)).body;
        found.push(...page.data.map((each: { name: string }) => each.name));
        if (!page.pagination.has_more) {
          return found;
        }
        cursor = `&cursor=${page.pagination.next_cursor}`;
      }
    };
    const own = (await app.api.get(`/v1/orgs/${owner.organizationId}`, owner.accessToken)).body.data.name;
    expect(await names('')).toEqual(['gamma', 'alpha', 'beta', own]);
    expect(await names('&sort=created_at')).toEqual([own, 'beta', 'alpha', 'gamma']);
    expect(new Set(await names('&sort=name'))).toEqual(new Set(['alpha', 'beta', 'gamma', own]));
    expect(await names('&sort=-name')).toEqual((await names('&sort=name')).toReversed());
    expect(await names('&role=billing', grace.accessToken)).toEqual([own]);
    expect(await names('&created_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await names('&created_after=2020-01-01T00:00:00Z')).toHaveLength(4);
    const token = await createApiToken(app, owner, ['read:org']);
    expect(await names('', token)).toEqual([own]);
  });

  it('400, 401, 403', async ({ app, admin }) => {
    expect((await app.api.get('/v1/orgs?sort=slug', admin.accessToken)).status).toBe(400);
    expect((await app.api.get('/v1/orgs?role=owner', admin.accessToken)).status).toBe(400);
    expect((await app.api.get('/v1/orgs')).status).toBe(401);
    const refused = await app.api.get('/v1/orgs', await createApiToken(app, admin, ['read:profile']));
    expect(refused.body.error).toMatchObject({ code: 'insufficient_scope', details: { required_scope: 'read:org' } });
  });
});

describe('GET /v1/orgs/{organization_id}', () => {
  it('shows the role there, and shows the billing details only to the role billing and higher', async ({
    app,
    admin,
  }) => {
    await patch(app, admin, { billing_details: { legal_name: 'Ada Ltd' } });
    const billing = await joinOrganization(app, admin, 'billing');
    const member = await joinOrganization(app, admin, 'member');
    const read = async (who: Member) =>
      (await app.api.get(`/v1/orgs/${admin.organizationId}`, who.accessToken)).body.data;
    expect(await read(billing)).toMatchObject({ role: 'billing', billing_details: { legal_name: 'Ada Ltd' } });
    expect(await read(member)).toMatchObject({ role: 'member', billing_details: null, member_count: 3 });
  });

  it('404: someone else’s organization, by a login and by an API token; the path wins over the header, and a header with one is 404', async ({
    app,
    admin,
    stranger,
  }) => {
    const read = (id: string, token: string, named?: string) =>
      app.api.get(`/v1/orgs/${id}`, token, named === undefined ? {} : { 'x-organization-id': named });
    expect((await read(stranger.organizationId, admin.accessToken)).body.error).toMatchObject({
      code: 'not_found',
      details: { resource: 'organization' },
    });
    expect((await read('org_unknown', admin.accessToken)).status).toBe(404);
    expect((await read(admin.organizationId, admin.accessToken, stranger.organizationId)).status).toBe(404);
    const second = (await create(app, admin, { name: 'Second' })).body.data.id;
    const won = await read(second, admin.accessToken, admin.organizationId);
    expect(won.body.data.id).toBe(second);
    const token = await createApiToken(app, admin, ['read:org']);
    expect((await read(second, token)).status).toBe(404);
    expect((await read(admin.organizationId, token)).status).toBe(200);
    expect((await app.api.get(`/v1/orgs/${admin.organizationId}`)).status).toBe(401);
  });
});

describe('PATCH /v1/orgs/{organization_id}', () => {
  it('200: changes the given fields, keeps the rest, and null clears', async ({ app, admin }) => {
    const owner = await app.register();
    const change = async (body: unknown) =>
      (await patch(app, admin, body, owner.accessToken, owner.organizationId)).body.data;
    const renamed = await change({ name: ' Engines ', slug: `engines-${owner.userId.slice(-6)}` });
    expect(renamed).toMatchObject({ name: 'Engines', slug: `engines-${owner.userId.slice(-6)}` });
    const details = { legal_name: 'Engines Ltd', address: '1 Street\nTown', tax_id: 'GB1', email: ' Pay@Example.com ' };
    expect((await change({ billing_details: details })).billing_details).toEqual({
      ...details,
      email: 'pay@example.com',
    });
    expect((await change({ billing_details: { tax_id: null } })).billing_details).toMatchObject({
      legal_name: 'Engines Ltd',
      tax_id: null,
    });
    expect((await change({})).billing_details.legal_name).toBe('Engines Ltd');
    expect(await change({ billing_details: null })).toMatchObject({ name: 'Engines', billing_details: null });
    const headers = { 'x-organization-id': owner.organizationId };
    const log = await app.api.get('/v1/audit-log?action=organization.updated', owner.accessToken, headers);
    expect(log.body.data).toHaveLength(4);
    expect(log.body.data[3]).toMatchObject({ after: { name: 'Engines', billing_details: null } });
    expect(log.body.data[0]).toMatchObject({
      before: { billing_details: { legal_name: 'Engines Ltd', tax_id: null } },
      after: { billing_details: null },
    });
  });

  it('409: the slug of another organization; its own is allowed', async ({ app, admin, stranger }) => {
    const slug = `taken-${stranger.userId.slice(-6)}`;
    await patch(app, admin, { slug }, stranger.accessToken, stranger.organizationId);
    const answer = await patch(app, admin, { slug });
    expect(answer.status).toBe(409);
    expect(answer.body.error.details).toEqual({ field: 'slug' });
    expect((await patch(app, admin, { slug }, stranger.accessToken, stranger.organizationId)).status).toBe(200);
    const key = { 'idempotency-key': 'a slug' };
    const path = `/v1/orgs/${admin.organizationId}`;
    const options = { token: admin.accessToken, body: { slug }, headers: key };
    expect((await app.api.call('PATCH', path, options)).status).toBe(409);
  });

  it.for([
    [{ slug: null }, 'slug', 'type'],
    [{ name: '' }, 'name', 'length'],
    [{ role: 'member' }, 'role', 'unknown'],
    [{ billing_details: { vat: 'x' } }, 'billing_details.vat', 'unknown'],
    [{ billing_details: { email: 'nobody' } }, 'billing_details.email', 'format'],
    [{ billing_details: { tax_id: 'x'.repeat(65) } }, 'billing_details.tax_id', 'length'],
    [{ billing_details: { legal_name: 'a\nb' } }, 'billing_details.legal_name', 'format'],
    [{ billing_details: { address: ' \n ' } }, 'billing_details.address', 'format'],
  ] as const)('400: %j', async ([body, field, reason], { app, admin }) => {
    const answer = await patch(app, admin, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual({ field, reason });
  });

  it('401; 403 by role and by scope; 404 in someone else’s organization', async ({ app, admin, stranger }) => {
    expect((await app.api.call('PATCH', `/v1/orgs/${admin.organizationId}`, { body: {} })).status).toBe(401);
    const billing = await joinOrganization(app, admin, 'billing');
    const byRole = await patch(app, admin, { name: 'Mine' }, billing.accessToken);
    expect(byRole.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    const byToken = await patch(
      app,
      admin,
      { name: 'Mine' },
      await createApiToken(app, billing, ['admin:org'], admin.organizationId),
    );
    expect(byToken.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    const byScope = await patch(app, admin, { name: 'Mine' }, await createApiToken(app, admin, ['read:org']));
    expect(byScope.body.error.code).toBe('insufficient_scope');
    expect((await patch(app, admin, { name: 'Mine' }, admin.accessToken, stranger.organizationId)).status).toBe(404);
  });
});

describe('DELETE /v1/orgs/{organization_id}', () => {
  it('204: it is not found by anyone, and its slug is free', async ({ app, admin, stranger }) => {
    const { id, slug } = (await create(app, admin, { name: 'Short Lived', slug: 'short-lived' })).body.data;
    expect((await remove(app, id, admin.accessToken, { confirm: 'Short Lived' })).status).toBe(204);
    expect((await app.api.get(`/v1/orgs/${id}`, admin.accessToken)).status).toBe(404);
    expect((await remove(app, id, admin.accessToken, { confirm: 'Short Lived' })).status).toBe(404);
    const listed = (await app.api.get('/v1/orgs?limit=100', admin.accessToken)).body.data;
    expect(listed.some((each: { id: string }) => each.id === id)).toBe(false);
    expect((await create(app, admin, { name: 'Next', slug }, stranger)).status).toBe(201);
  });

  it('422: a confirmation other than its name', async ({ app, admin }) => {
    const answer = await remove(app, admin.organizationId, admin.accessToken, { confirm: 'yes' });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({
      code: 'validation_failed',
      details: { field: 'confirm', reason: 'mismatch' },
    });
  });

  it('400, 413, 415: the body follows the same rules as with any other method', async ({ app, admin }) => {
    const path = `/v1/orgs/${admin.organizationId}`;
    expect((await remove(app, admin.organizationId, admin.accessToken, undefined)).status).toBe(400);
    expect((await remove(app, admin.organizationId, admin.accessToken, {})).body.error.details).toEqual({
      field: 'confirm',
      reason: 'required',
    });
    expect((await remove(app, admin.organizationId, admin.accessToken, '{')).body.error.details.reason).toBe(
      'malformed',
    );
    expect((await remove(app, admin.organizationId, admin.accessToken, { confirm: 'x'.repeat(300_000) })).status).toBe(
      413,
    );
    const headers = { 'content-type': 'text/plain' };
    const plain = await app.api.call('DELETE', path, { token: admin.accessToken, body: 'yes', headers });
    expect(plain.status).toBe(415);
  });

  it('401, 403, 404', async ({ app, admin, stranger }) => {
    expect((await remove(app, admin.organizationId, undefined, { confirm: 'x' })).status).toBe(401);
    const billing = await joinOrganization(app, admin, 'billing');
    expect((await remove(app, admin.organizationId, billing.accessToken, { confirm: 'x' })).status).toBe(403);
    expect(
      (await remove(app, admin.organizationId, await createApiToken(app, admin, ['read:org']), { confirm: 'x' }))
        .status,
    ).toBe(403);
    expect((await remove(app, stranger.organizationId, admin.accessToken, { confirm: 'x' })).status).toBe(404);
  });
});
