import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken, plantMeters } from '../../../test/usage/usage-world.ts';
import { CATALOGUE_EXAMPLE } from './routes.ts';

const it = createTest({ environment: 'sandbox' })
  .extend('owner', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app)).token)
  .extend('viewer', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app, null, 'viewer')).token);

const PATH = '/v1/operator/catalog';

const read = async (app: TestApp, token: string) => (await app.api.get(PATH, token)).body.data;

const put = (app: TestApp, token: string | undefined, body: unknown, query = '', headers = {}) =>
  app.api.call('PUT', `${PATH}${query}`, { token, body, headers });

const namesOnSale = async (app: TestApp) =>
  (await app.api.get('/v1/plans')).body.data.map(({ name }: { name: string }) => name);

describe('PUT /v1/operator/catalog', () => {
  it('200: applies the file to the catalogue and returns the difference, which is empty the second time', async ({
    app,
    owner,
  }) => {
    const file = await read(app, owner);
    const [first, ...others] = file.plans;
    const changed = { ...file, plans: [{ ...first, name: 'Gratis' }, ...others] };
    const planned = await put(app, owner, changed, '?dry_run=true');
    expect(planned.body.data).toEqual({
      dry_run: true,
      changes: [
        {
          kind: 'plan',
          key: first.key,
          action: 'changed',
          fields: [{ field: 'name', before: first.name, after: 'Gratis' }],
        },
      ],
    });
    expect(await namesOnSale(app)).not.toContain('Gratis');
    const done = await put(app, owner, changed);
    expect(done.body.data).toEqual({ ...planned.body.data, dry_run: false });
    expect(await namesOnSale(app)).toContain('Gratis');
    expect(await read(app, owner)).toEqual(changed);
    expect((await put(app, owner, changed, '?dry_run=false')).body.data.changes).toEqual([]);
    await put(app, owner, file);
  });

  it('200: accepts the example of the API reference', async ({ app, owner }) => {
    const { status, body } = await put(app, owner, CATALOGUE_EXAMPLE, '?dry_run=true');
    expect([status, body.data.dry_run]).toEqual([200, true]);
  });

  it('200: accepts YAML, which GET returns on request', async ({ app, owner }) => {
    const headers = { authorization: `Bearer ${owner}`, accept: 'application/yaml' };
    const answer = await fetch(app.api.baseUrl + PATH, { headers });
    const yaml = await answer.text();
    expect(answer.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(yaml).toMatch(/^plans:\n {2}- key: /);
    const same = await put(app, owner, yaml, '', { 'content-type': 'application/yaml' });
    expect(same.body.data).toEqual({ dry_run: false, changes: [] });
    const archived = yaml.replace(/^ {2}- key: enterprise\n(?: {4}.*\n)+/m, '');
    const done = await put(app, owner, archived, '', { 'content-type': 'application/yaml; charset=utf-8' });
    expect(done.body.data.changes).toMatchObject([{ kind: 'plan', key: 'enterprise', action: 'archived' }]);
    await put(app, owner, yaml, '', { 'content-type': 'application/yaml' });
  });

  it('records the applied changes in the audit log of the installation, and nothing for a dry run', async ({
    app,
    owner,
    viewer,
  }) => {
    const entries = async () =>
      (await app.api.get('/v1/operator/audit-log?organization_id=installation&action=catalogue.applied', viewer)).body
        .data;
    const before = (await entries()).length;
    const file = await read(app, owner);
    const more = { ...file, meters: [...file.meters, { name: 'renders', aggregation: 'sum' }] };
    await put(app, owner, more, '?dry_run=true');
    expect(await entries()).toHaveLength(before);
    await put(app, owner, more);
    const [entry, ...others] = await entries();
    expect(others).toHaveLength(before);
    expect(entry).toMatchObject({
      organization_id: null,
      actor: { type: 'operator_token' },
      after: { count: 1, changes: [{ kind: 'meter', key: 'renders', action: 'added' }] },
    });
    await put(app, owner, file);
  });

  it('409: refuses, like the command, to change something sold or used, and changes nothing', async ({
    app,
    shop,
    admin,
    owner,
  }) => {
    await shop.buy(admin);
    const file = await read(app, owner);
    const dearer = {
      ...file,
      plans: file.plans.map((plan: { key: string; price: number }) =>
        plan.key === 'pro' ? { ...plan, price: 3_000 } : plan,
      ),
    };
    for (const query of ['?dry_run=true', '']) {
      const { status, body } = await put(app, owner, dearer, query);
      expect([status, body.error.code]).toEqual([409, 'conflict']);
      expect(body.error.message).toContain('was already sold, so price (2900 → 3000) cannot change');
    }
    expect(await read(app, owner)).toEqual(file);
    await plantMeters(app, { counted: 'sum' });
    const record = { organization_id: admin.organizationId, meter: 'counted', value: 1, at: new Date().toISOString() };
    expect((await app.api.post('/v1/operator/usage', owner, record)).status).toBe(201);
    await expect
      .poll(async () => (await put(app, owner, file)).body.error?.message)
      .toContain('the meter counted already has records');
  });

  it('422: names every mistake in the file', async ({ app, owner }) => {
    const { status, body } = await put(app, owner, { plans: [{ key: 'A' }], coupon: [] });
    expect([status, body.error.code]).toEqual([422, 'validation_failed']);
    expect(body.error.message).toMatch(/^The catalogue has \d+ errors: /);
    expect(body.error.message).toContain('coupon');
    expect(body.error.message).toContain('plans[0].key');
    const yaml = await put(app, owner, 'plans: [', '', { 'content-type': 'application/yaml' });
    expect([yaml.status, yaml.body.error.message]).toEqual([422, expect.stringContaining('is not valid YAML')]);
  });

  it('422: names conflicts with a product or with the default heartbeats of the service', async ({ app, owner }) => {
    const file = await read(app, owner);
    const [first, ...others] = file.plans;
    const fieldOf = async (policy: object, change: object) => {
      const products = [{ key: 'studio', name: 'Studio', features: {}, policy }];
      const plans = [{ ...first, product: 'studio', ...change }, ...others];
      const { status, body } = await put(app, owner, { ...file, products, plans }, '?dry_run=true');
      return status === 200 ? undefined : [status, body.error.code, body.error.details.field];
    };
    const features = { license_features: { ...first.license_features, layers: 5 } };
    expect(await fieldOf({}, features)).toEqual([422, 'validation_failed', 'plans[0].license_features.layers']);
    const timeoutOf = (place: string) => [422, 'validation_failed', `${place}.policy.session_timeout`];
    expect(await fieldOf({ session_timeout: 60 }, {})).toEqual(timeoutOf('products[0]'));
    expect(await fieldOf({}, { policy: { session_timeout: 60 } })).toEqual(timeoutOf('plans[0]'));
    expect(await fieldOf({ heartbeat_interval: 100 }, { policy: { session_timeout: 90 } })).toEqual(
      timeoutOf('plans[0]'),
    );
    expect(await fieldOf({ session_timeout: 100 }, { policy: { heartbeat_interval: 90 } })).toBeUndefined();
  });

  it('400, 413 and 415: refuses anything that is not a file', async ({ app, owner, admin }) => {
    expect((await put(app, owner, '', '', { 'content-type': 'application/json' })).status).toBe(400);
    expect((await put(app, owner, '{}', '?dry_run=1')).body.error.details.field).toBe('dry_run');
    expect((await put(app, owner, '{}', '?dry=true')).body.error.details.field).toBe('dry');
    expect((await put(app, owner, ' '.repeat(300_000))).status).toBe(413);
    expect((await put(app, owner, 'plans', '', { 'content-type': 'text/plain' })).status).toBe(415);
    const elsewhere = { token: admin.accessToken, body: 'name: x', headers: { 'content-type': 'application/yaml' } };
    expect((await app.api.call('POST', '/v1/projects', elsewhere)).status).toBe(415);
  });

  it('401 and 403: only owners may write, and all staff may read', async ({ app, admin, viewer }) => {
    const { token: finance } = await makeOperatorToken(app, null, 'finance');
    expect((await put(app, undefined, {})).status).toBe(401);
    expect((await put(app, admin.accessToken, {})).body.error.code).toBe('insufficient_scope');
    expect((await put(app, finance, {})).body.error.details).toEqual({ required_role: 'owner' });
    expect((await app.api.get(PATH, viewer)).status).toBe(200);
    expect((await app.api.get(PATH)).status).toBe(401);
    expect((await app.api.get(PATH, admin.accessToken)).body.error.code).toBe('insufficient_scope');
  });

  it('changes only one environment', async ({ app, owner }) => {
    const production = await startAppForTest();
    const before = await namesOnSale(production);
    const file = await read(app, owner);
    await put(app, owner, { ...file, plans: file.plans.map((plan: object) => ({ ...plan, description: 'Sandbox' })) });
    expect(await namesOnSale(production)).toEqual(before);
    expect((await app.api.get('/v1/plans')).body.data[0].description ?? 'Sandbox').toBe('Sandbox');
    await put(app, owner, file);
  });
});
