import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const LICENSES = '/v1/operator/licenses';
const newAlias = () => `OLD.${randomBytes(8).toString('hex')}`;
const machine = () => `hw_${randomBytes(16).toString('hex')}`;

const it = createTest()
  .extend('operator', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app)).token)
  .extend(
    'issue',
    ({ app, operator }) =>
      ({ organizationId }: Member, aliases: readonly string[], more: object = {}) =>
        app.api.call('POST', LICENSES, {
          token: operator,
          body: {
            organization_id: organizationId,
            product: 'seathold-demo',
            max_seats: 2,
            expires_at: null,
            key_aliases: aliases,
            ...more,
          },
        }),
  )
  .extend(
    'replaceAliases',
    ({ app, operator }) =>
      (id: string, aliases: readonly string[]) =>
        app.api.call('PATCH', `${LICENSES}/${id}`, { token: operator, body: { key_aliases: aliases } }),
  );

const acquire = (app: TestApp, who: Member, key: string, more: object = {}) =>
  app.api.call('POST', '/v1/licenses/acquire', {
    token: who.accessToken,
    body: { license_key: key, hardware_id: machine() },
    ...more,
  });

describe('key_aliases', () => {
  it('identify the license in acquire, explain and the list of licenses, like its own key', async ({
    app,
    ada,
    issue,
    operator,
  }) => {
    const alias = newAlias();
    const { id, key, key_aliases } = (await issue(ada, [alias])).body.data;
    expect(key_aliases).toEqual([alias]);
    const hardware = { license_key: ` ${alias} `, hardware_id: machine() };
    const byAlias = await app.api.post('/v1/licenses/acquire', ada.accessToken, hardware);
    const byKey = await app.api.post('/v1/licenses/acquire', ada.accessToken, { ...hardware, license_key: key });
    expect([byAlias.status, byKey.status]).toEqual([201, 200]);
    expect(byKey.body.data.session_id).toBe(byAlias.body.data.session_id);
    const query = new URLSearchParams({ license_key: alias, email: ada.email });
    expect((await app.api.get(`/v1/operator/explain?${query}`, operator)).body.data.license.id).toBe(id);
    for (const typed of [alias, key, key.toLowerCase()]) {
      const found = await app.api.get(`${LICENSES}?${new URLSearchParams({ key: typed })}`, operator);
      expect(found.body.data.map((license: { id: string }) => license.id)).toEqual([id]);
    }
  });

  it('return the same session for a retried acquire', async ({ app, ada, issue }) => {
    const alias = newAlias();
    await issue(ada, [alias]);
    const request = {
      token: ada.accessToken,
      body: { license_key: alias, hardware_id: machine() },
      headers: { 'idempotency-key': machine() },
    };
    const first = await app.api.call('POST', '/v1/licenses/acquire', request);
    const again = await app.api.call('POST', '/v1/licenses/acquire', request);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.data.session_id).toBe(first.body.data.session_id);
  });

  it('never identify the license of another organization', async ({ app, ada, admin, issue }) => {
    const alias = newAlias();
    await issue(ada, [alias]);
    const refused = await acquire(app, admin, alias);
    expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
  });

  it('reveal nothing to a revoked token', async ({ app, ada, issue }) => {
    const alias = newAlias();
    await issue(ada, [alias]);
    await app.api.call('POST', '/v1/auth/logout', { token: ada.accessToken, body: {} });
    expect((await acquire(app, ada, alias)).status).toBe(401);
  });

  it('are refused if they already identify another license of any organization', async ({
    ada,
    admin,
    issue,
    replaceAliases,
  }) => {
    const alias = newAlias();
    const first = (await issue(ada, [alias])).body.data;
    for (const taken of [alias, first.key, first.key.toLowerCase()]) {
      const refused = await issue(admin, [newAlias(), taken]);
      expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
        409,
        'already_exists',
        { field: 'key_aliases' },
      ]);
    }
    const second = (await issue(admin, [])).body.data;
    expect((await replaceAliases(second.id, [alias])).status).toBe(409);
    expect((await replaceAliases(first.id, [alias])).body.data.key_aliases).toEqual([alias]);
  });

  it('are replaced entirely, and a removed alias no longer works', async ({ app, ada, issue, replaceAliases }) => {
    const [before, kept, added] = [newAlias(), newAlias(), newAlias()];
    const { id } = (await issue(ada, [before, kept])).body.data;
    const { data } = (await replaceAliases(id, [kept, added])).body;
    expect(data.key_aliases).toEqual([kept, added].sort());
    expect((await acquire(app, ada, before)).status).toBe(404);
    expect((await acquire(app, ada, added)).status).toBe(201);
  });

  it('may look like an unused key of this service', async ({ app, ada, issue }) => {
    const key = 'MWX92-THMDM-ZZCHV-JZ39E';
    const [normalized] = (await issue(ada, [key.toLowerCase()])).body.data.key_aliases;
    expect(normalized).toBe(key);
    expect((await acquire(app, ada, key)).status).toBe(201);
  });

  it('are refused if too short, too long, not printable, or too many', async ({ ada, issue }) => {
    const many = Array.from({ length: 21 }, newAlias);
    for (const aliases of [['abc'], ['a'.repeat(129)], ['ab\ncd'], [' abcd'], many]) {
      const refused = await issue(ada, aliases);
      expect([aliases[0], refused.status]).toEqual([aliases[0], 400]);
    }
    expect((await issue(ada, ['a'.repeat(128), 'Schlüssel 12 (Büro)'])).status).toBe(201);
  });
});
