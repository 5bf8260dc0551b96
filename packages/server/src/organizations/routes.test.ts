import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import { joinOrganization } from '../../test/harness/join-organization.ts';

let test: TestApp;
let ada: Member;
let stranger: Member;

beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register();
  stranger = await test.register();
});
afterAll(() => test.close());

const create = (body: unknown, owner = ada) => test.api.post('/v1/orgs', owner.accessToken, body);
const patch = (body: unknown, token: string | undefined = ada.accessToken, id = ada.organizationId) =>
  test.api.call('PATCH', `/v1/orgs/${id}`, { token, body });
const remove = (id: string, token: string | undefined, body: unknown) =>
  test.api.call('DELETE', `/v1/orgs/${id}`, { token, body });

async function apiToken(owner: Member, scopes: string[], organizationId = owner.organizationId): Promise<string> {
  const headers = { 'x-organization-id': organizationId };
  const made = await test.api.post('/v1/api-tokens', owner.accessToken, { name: 'a token', scopes }, headers);
  return made.body.data.token;
}

describe('POST /v1/orgs', () => {
  it('201: the caller is its admin, with a slug of its name or the one asked for', async () => {
    const made = await create({ name: '  Blue Door  ' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      name: 'Blue Door',
      slug: 'blue-door',
      role: 'admin',
      member_count: 1,
      billing_details: null,
    });
    expect((await create({ name: 'Blue Door' })).body.data.slug).toMatch(/^blue-door-[0-9a-z]{6}$/);
    expect((await create({ name: 'Red Door', slug: 'the-red-one' })).body.data.slug).toBe('the-red-one');
    const read = await test.api.get(`/v1/orgs/${made.body.data.id}`, ada.accessToken);
    expect(read.body.data).toEqual(made.body.data);
  });

  it('409: a slug that is asked for and taken', async () => {
    await create({ name: 'First', slug: 'only-once' });
    const answer = await create({ name: 'Second', slug: 'only-once' }, stranger);
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: 'already_exists', details: { field: 'slug' } });
  });

  it.each([
    [{}, 'name', 'required'],
    [{ name: ' ' }, 'name', 'format'],
    [{ name: 'x'.repeat(101) }, 'name', 'length'],
    [{ name: 'A', slug: 'Not-This' }, 'slug', 'format'],
    [{ name: 'A', slug: '-a' }, 'slug', 'format'],
    [{ name: 'A', slug: 'a--b' }, 'slug', 'format'],
    [{ name: 'A', slug: 'x'.repeat(64) }, 'slug', 'length'],
    [{ name: 'A', tier: 'pro' }, 'tier', 'unknown'],
  ])('400: %j', async (body, field, reason) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual({ field, reason });
  });

  it('401 without a token, 403 with an API token', async () => {
    expect((await test.api.post('/v1/orgs', undefined, { name: 'A' })).status).toBe(401);
    const token = await apiToken(ada, ['admin:org', 'read:org']);
    const refused = await test.api.post('/v1/orgs', token, { name: 'A' });
    expect(refused.status).toBe(403);
    expect(refused.body.error.details).toEqual({ required_token: 'session' });
  });
});

describe('GET /v1/orgs', () => {
  it('200: pages through the organizations of a login in either order, and filters them', async () => {
    const owner = await test.register('Zoe');
    for (const name of ['beta', 'alpha', 'gamma']) {
      await create({ name }, owner);
    }
    const grace = await joinOrganization(test, owner, 'billing', 'Mia');
    const names = async (query: string, token = owner.accessToken) => {
      const found: string[] = [];
      let cursor = '';
      for (;;) {
        const page = (await test.api.get(`/v1/orgs?limit=2${query}${cursor}`, token)).body;
        found.push(...page.data.map((each: { name: string }) => each.name));
        if (!page.pagination.has_more) {
          return found;
        }
        cursor = `&cursor=${page.pagination.next_cursor}`;
      }
    };
    const own = (await test.api.get(`/v1/orgs/${owner.organizationId}`, owner.accessToken)).body.data.name;
    expect(await names('')).toEqual(['gamma', 'alpha', 'beta', own]);
    expect(await names('&sort=created_at')).toEqual([own, 'beta', 'alpha', 'gamma']);
    expect(new Set(await names('&sort=name'))).toEqual(new Set(['alpha', 'beta', 'gamma', own]));
    expect(await names('&sort=-name')).toEqual((await names('&sort=name')).toReversed());
    expect(await names('&role=billing', grace.accessToken)).toEqual([own]);
    expect(await names('&created_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await names('&created_after=2020-01-01T00:00:00Z')).toHaveLength(4);
    const token = await apiToken(owner, ['read:org']);
    expect(await names('', token)).toEqual([own]);
  });

  it('400, 401, 403', async () => {
    expect((await test.api.get('/v1/orgs?sort=slug', ada.accessToken)).status).toBe(400);
    expect((await test.api.get('/v1/orgs?role=owner', ada.accessToken)).status).toBe(400);
    expect((await test.api.get('/v1/orgs')).status).toBe(401);
    const refused = await test.api.get('/v1/orgs', await apiToken(ada, ['read:profile']));
    expect(refused.body.error).toMatchObject({ code: 'insufficient_scope', details: { required_scope: 'read:org' } });
  });
});

describe('GET /v1/orgs/{organization_id}', () => {
  it('shows the role there, and the billing details to the role billing and higher only', async () => {
    await patch({ billing_details: { legal_name: 'Ada Ltd' } });
    const billing = await joinOrganization(test, ada, 'billing');
    const member = await joinOrganization(test, ada, 'member');
    const read = async (who: Member) =>
      (await test.api.get(`/v1/orgs/${ada.organizationId}`, who.accessToken)).body.data;
    expect(await read(billing)).toMatchObject({ role: 'billing', billing_details: { legal_name: 'Ada Ltd' } });
    expect(await read(member)).toMatchObject({ role: 'member', billing_details: null, member_count: 3 });
  });

  it('404: of others, by a login and by an API token; the path wins over the header, and a foreign header is 404', async () => {
    const read = (id: string, token: string, named?: string) =>
      test.api.get(`/v1/orgs/${id}`, token, named === undefined ? {} : { 'x-organization-id': named });
    expect((await read(stranger.organizationId, ada.accessToken)).body.error).toMatchObject({
      code: 'not_found',
      details: { resource: 'organization' },
    });
    expect((await read('org_unknown', ada.accessToken)).status).toBe(404);
    expect((await read(ada.organizationId, ada.accessToken, stranger.organizationId)).status).toBe(404);
    const second = (await create({ name: 'Second' })).body.data.id;
    const won = await read(second, ada.accessToken, ada.organizationId);
    expect(won.body.data.id).toBe(second);
    const token = await apiToken(ada, ['read:org']);
    expect((await read(second, token)).status).toBe(404);
    expect((await read(ada.organizationId, token)).status).toBe(200);
    expect((await test.api.get(`/v1/orgs/${ada.organizationId}`)).status).toBe(401);
  });
});

describe('PATCH /v1/orgs/{organization_id}', () => {
  it('200: changes what is given, keeps the rest, and null clears', async () => {
    const owner = await test.register();
    const change = async (body: unknown) => (await patch(body, owner.accessToken, owner.organizationId)).body.data;
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
    const log = await test.api.get('/v1/audit-log?action=organization.updated', owner.accessToken, headers);
    expect(log.body.data).toHaveLength(4);
    expect(log.body.data[3]).toMatchObject({ after: { name: 'Engines', billing_details: null } });
    expect(log.body.data[0]).toMatchObject({
      before: { billing_details: { legal_name: 'Engines Ltd', tax_id: null } },
      after: { billing_details: null },
    });
  });

  it('409: a slug that another organization has; its own is none', async () => {
    const slug = `taken-${stranger.userId.slice(-6)}`;
    await patch({ slug }, stranger.accessToken, stranger.organizationId);
    const answer = await patch({ slug });
    expect(answer.status).toBe(409);
    expect(answer.body.error.details).toEqual({ field: 'slug' });
    expect((await patch({ slug }, stranger.accessToken, stranger.organizationId)).status).toBe(200);
    const key = { 'idempotency-key': 'a slug' };
    const path = `/v1/orgs/${ada.organizationId}`;
    const options = { token: ada.accessToken, body: { slug }, headers: key };
    expect((await test.api.call('PATCH', path, options)).status).toBe(409);
  });

  it.each([
    [{ slug: null }, 'slug', 'type'],
    [{ name: '' }, 'name', 'length'],
    [{ role: 'member' }, 'role', 'unknown'],
    [{ billing_details: { vat: 'x' } }, 'billing_details.vat', 'unknown'],
    [{ billing_details: { email: 'nobody' } }, 'billing_details.email', 'format'],
    [{ billing_details: { tax_id: 'x'.repeat(65) } }, 'billing_details.tax_id', 'length'],
    [{ billing_details: { legal_name: 'a\nb' } }, 'billing_details.legal_name', 'format'],
    [{ billing_details: { address: ' \n ' } }, 'billing_details.address', 'format'],
  ])('400: %j', async (body, field, reason) => {
    const answer = await patch(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual({ field, reason });
  });

  it('401, 403 by role and by scope, 404 of others', async () => {
    expect((await test.api.call('PATCH', `/v1/orgs/${ada.organizationId}`, { body: {} })).status).toBe(401);
    const billing = await joinOrganization(test, ada, 'billing');
    const byRole = await patch({ name: 'Mine' }, billing.accessToken);
    expect(byRole.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    const byToken = await patch({ name: 'Mine' }, await apiToken(billing, ['admin:org'], ada.organizationId));
    expect(byToken.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    const byScope = await patch({ name: 'Mine' }, await apiToken(ada, ['read:org']));
    expect(byScope.body.error.code).toBe('insufficient_scope');
    expect((await patch({ name: 'Mine' }, ada.accessToken, stranger.organizationId)).status).toBe(404);
  });
});

describe('DELETE /v1/orgs/{organization_id}', () => {
  it('204: it is gone for everybody, and its slug is free', async () => {
    const { id, slug } = (await create({ name: 'Short Lived', slug: 'short-lived' })).body.data;
    expect((await remove(id, ada.accessToken, { confirm: 'Short Lived' })).status).toBe(204);
    expect((await test.api.get(`/v1/orgs/${id}`, ada.accessToken)).status).toBe(404);
    expect((await remove(id, ada.accessToken, { confirm: 'Short Lived' })).status).toBe(404);
    const listed = (await test.api.get('/v1/orgs?limit=100', ada.accessToken)).body.data;
    expect(listed.some((each: { id: string }) => each.id === id)).toBe(false);
    expect((await create({ name: 'Next', slug }, stranger)).status).toBe(201);
  });

  it('422: confirm that is not its name', async () => {
    const answer = await remove(ada.organizationId, ada.accessToken, { confirm: 'yes' });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({
      code: 'validation_failed',
      details: { field: 'confirm', reason: 'mismatch' },
    });
  });

  it('400, 413, 415: the body counts as that of any other method', async () => {
    const path = `/v1/orgs/${ada.organizationId}`;
    expect((await remove(ada.organizationId, ada.accessToken, undefined)).status).toBe(400);
    expect((await remove(ada.organizationId, ada.accessToken, {})).body.error.details).toEqual({
      field: 'confirm',
      reason: 'required',
    });
    expect((await remove(ada.organizationId, ada.accessToken, '{')).body.error.details.reason).toBe('malformed');
    expect((await remove(ada.organizationId, ada.accessToken, { confirm: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    const plain = await test.api.call('DELETE', path, { token: ada.accessToken, body: 'yes', headers });
    expect(plain.status).toBe(415);
  });

  it('401, 403, 404', async () => {
    expect((await remove(ada.organizationId, undefined, { confirm: 'x' })).status).toBe(401);
    const billing = await joinOrganization(test, ada, 'billing');
    expect((await remove(ada.organizationId, billing.accessToken, { confirm: 'x' })).status).toBe(403);
    expect((await remove(ada.organizationId, await apiToken(ada, ['read:org']), { confirm: 'x' })).status).toBe(403);
    expect((await remove(stranger.organizationId, ada.accessToken, { confirm: 'x' })).status).toBe(404);
  });
});
