import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const it = createTest({ environment: 'sandbox' })
  .extend('owner', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app)).token)
  .extend('finance', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app, null, 'finance')).token);

const PATH = '/v1/operator/products';
const FEATURES = { projects: { type: 'number', name: 'Projects' }, edition: { type: 'string', name: 'Edition' } };

const put = (app: TestApp, token: string | undefined, key: string, body: unknown) =>
  app.api.call('PUT', `${PATH}/${encodeURIComponent(key)}`, { token, body });
const read = (app: TestApp, token: string | undefined, key: string) =>
  app.api.get(`${PATH}/${encodeURIComponent(key)}`, token);
const issue = async (app: TestApp, token: string, product: string, features: object) =>
  app.api.post('/v1/operator/licenses', token, {
    organization_id: (await app.register()).organizationId,
    product,
    features,
    max_seats: 1,
    expires_at: null,
  });
const productEntries = async (app: TestApp, token: string) =>
  (await app.api.get('/v1/operator/audit-log?action=product.changed', token)).body.data;

describe('PUT /v1/operator/products/{key}', () => {
  it('200: creates a product, whose licenses have its features and no others', async ({ app, owner }) => {
    const answer = await put(app, owner, 'easel', {
      name: 'Easel',
      features: FEATURES,
      policy: { node_locked: false },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      key: 'easel',
      name: 'Easel',
      features: FEATURES,
      policy: { node_locked: false },
      source: 'declared',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await issue(app, owner, 'easel', { projects: 3, edition: 'pro' })).status).toBe(201);
    const refused = await issue(app, owner, 'easel', { project: 3 });
    expect(refused.body.error).toMatchObject({ code: 'validation_failed', details: { field: 'features.project' } });
    expect(refused.body.error.message).toContain('Did you mean projects?');
  });

  it('200: replaces name and features, and keeps the policy unless one is given', async ({ app, owner }) => {
    await put(app, owner, 'brush', { name: 'Brush', features: FEATURES, policy: { max_activations: 3 } });
    const features = { layers: { type: 'boolean' } };
    const kept = await put(app, owner, 'brush', { name: 'Brush 2', features });
    expect(kept.body.data).toMatchObject({ name: 'Brush 2', policy: { max_activations: 3 } });
    expect(kept.body.data.features).toEqual({ layers: { type: 'boolean', name: 'layers' } });
    const dropped = await put(app, owner, 'brush', { name: 'Brush 2', features, policy: {} });
    expect(dropped.body.data.policy).toEqual({});
    expect((await read(app, owner, 'brush')).body.data).toEqual(dropped.body.data);
  });

  it('200: records a change, and nothing if nothing changed', async ({ app, owner }) => {
    await put(app, owner, 'pencil', { name: 'Pencil', features: {} });
    await put(app, owner, 'pencil', { name: 'Pen', features: {} });
    await put(app, owner, 'pencil', { name: 'Pen', features: {} });
    const entries = (await productEntries(app, owner)).filter(
      ({ target }: { target: { id: string } }) => target.id === 'pencil',
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      actor: { type: 'operator_token' },
      before: { name: 'Pencil' },
      after: { name: 'Pen' },
    });
  });

  it('409: refuses to drop or retype features that licenses have', async ({ app, owner }) => {
    await put(app, owner, 'palette', { name: 'Palette', features: FEATURES });
    expect((await issue(app, owner, 'palette', { projects: 3 })).status).toBe(201);
    const before = (await read(app, owner, 'palette')).body.data;
    const { edition, projects } = FEATURES;
    for (const features of [{ edition }, { edition, projects: { ...projects, type: 'string' } }]) {
      const answer = await put(app, owner, 'palette', { name: 'Other', features });
      expect(answer.body.error).toMatchObject({ code: 'conflict' });
      expect(answer.body.error.message).toContain('Licenses of palette have projects.');
    }
    expect((await read(app, owner, 'palette')).body.data).toEqual(before);
    expect((await put(app, owner, 'palette', { name: 'Other', features: { projects } })).status).toBe(200);
  });

  it('409: refuses to drop features that plans on sale give their licenses', async ({ app, owner }) => {
    const catalogue = (await app.api.get('/v1/operator/catalog', owner)).body.data;
    const [plan] = catalogue.plans;
    const sold = { ...plan, key: 'canvas-plan', product: 'canvas', license_features: { projects: 5 } };
    sold.license_features = { ...plan.license_features, projects: 5 };
    const applied = await app.api.call('PUT', '/v1/operator/catalog', {
      token: owner,
      body: { ...catalogue, plans: [...catalogue.plans, sold] },
    });
    expect(applied.status).toBe(200);
    const refused = await put(app, owner, 'canvas', { name: 'Canvas', features: {} });
    expect(refused.body.error).toMatchObject({ code: 'conflict' });
    expect(refused.body.error.message).toContain('canvas-plan (projects)');
    expect((await put(app, owner, 'canvas', { name: 'Canvas', features: FEATURES })).status).toBe(200);
  });

  it('409: refuses a policy that times out seats of plans on sale between heartbeats', async ({ app, owner }) => {
    const catalogue = (await app.api.get('/v1/operator/catalog', owner)).body.data;
    const plan = { ...catalogue.plans[0], key: 'slow-plan', product: 'slow', policy: { heartbeat_interval: 100 } };
    const body = { ...catalogue, plans: [...catalogue.plans, plan] };
    expect((await app.api.call('PUT', '/v1/operator/catalog', { token: owner, body })).status).toBe(200);
    const slow = (policy: object) => put(app, owner, 'slow', { name: 'Slow', features: {}, policy });
    const refused = await slow({ session_timeout: 100 });
    expect(refused.body.error).toMatchObject({ code: 'conflict' });
    expect(refused.body.error.message).toContain('slow-plan (session_timeout must be longer');
    expect((await slow({ session_timeout: 101 })).status).toBe(200);
  });

  it('200: accepts any name as a key, like plans and licenses do', async ({ app, owner }) => {
    const key = 'Studio Pro für Ärzte';
    expect((await put(app, owner, key, { name: 'Studio', features: {} })).body.data).toMatchObject({ key });
    expect((await read(app, owner, key)).body.data).toMatchObject({ key, name: 'Studio' });
  });

  it('200: applies one of ten simultaneous requests completely', async ({ app, owner }) => {
    const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`);
    const answers = await Promise.all(names.map((name) => put(app, owner, 'crowd', { name, features: {} })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(names).toContain((await read(app, owner, 'crowd')).body.data.name);
    const created = await app.api.get('/v1/operator/audit-log?action=product.created', owner);
    expect(created.body.data.filter(({ target }: { target: { id: string } }) => target.id === 'crowd')).toHaveLength(1);
  });

  it('400, 422: refuses anything that is not a product', async ({ app, owner }) => {
    const bad: Array<[string, unknown, string, string]> = [
      ['x', { features: {} }, 'invalid_request', 'name'],
      ['x', { name: 'X' }, 'invalid_request', 'features'],
      ['x', { name: 'X', features: { projects: { type: 'date' } } }, 'invalid_request', 'features.projects.type'],
      ['x', { name: 'X', features: {}, policy: { allowed_users: [] } }, 'invalid_request', 'policy.allowed_users'],
      [
        'x',
        { name: 'X', features: { ai_assistance: { type: 'number' } } },
        'validation_failed',
        'features.ai_assistance.type',
      ],
      [
        'x',
        { name: 'X', features: {}, policy: { heartbeat_interval: 60, session_timeout: 60 } },
        'validation_failed',
        'policy.session_timeout',
      ],
      // The default interval is 60 s, and the default timeout 180 s.
      [
        'x',
        { name: 'X', features: {}, policy: { session_timeout: 60 } },
        'validation_failed',
        'policy.session_timeout',
      ],
      [
        'x',
        { name: 'X', features: {}, policy: { heartbeat_interval: 180 } },
        'validation_failed',
        'policy.session_timeout',
      ],
      [' x', { name: 'X', features: {} }, 'invalid_request', 'key'],
    ];
    for (const [key, body, code, field] of bad) {
      expect((await put(app, owner, key, body)).body.error).toMatchObject({ code, details: { field } });
    }
    expect((await read(app, owner, 'x')).status).toBe(404);
  });

  it('401, 403: is for staff owners only', async ({ app, finance }) => {
    const { accessToken } = await app.register();
    const body = { name: 'X', features: {} };
    expect((await put(app, undefined, 'x', body)).status).toBe(401);
    expect((await put(app, accessToken, 'x', body)).body.error.code).toBe('insufficient_scope');
    expect((await put(app, finance, 'x', body)).body.error).toMatchObject({
      code: 'forbidden',
      details: { required_role: 'owner' },
    });
  });
});

describe('GET /v1/operator/products', () => {
  it('200: lists all products by key, in pages', async ({ app, owner, finance }) => {
    for (const key of ['zinc', 'amber', 'ochre']) {
      await put(app, owner, key, { name: key, features: {} });
    }
    const first = await app.api.get(`${PATH}?limit=2`, finance);
    const rest = await app.api.get(`${PATH}?limit=100&cursor=${first.body.pagination.next_cursor}&sort=key`, finance);
    const keys = [...first.body.data, ...rest.body.data].map(({ key }: { key: string }) => key);
    expect(keys).toEqual(expect.arrayContaining(['amber', 'ochre', 'seathold-demo', 'zinc']));
    expect(new Set(keys).size).toBe(keys.length);
    const byName = await app.api.get(`${PATH}?sort=-name&limit=1`, finance);
    expect(byName.body.data[0].key).toBe('zinc');
  });

  it('404: for an unknown key', async ({ app, finance }) => {
    for (const key of ['nothing', 'no\u0000thing', 'x'.repeat(200)]) {
      expect((await read(app, finance, key)).body.error).toMatchObject({
        code: 'not_found',
        details: { resource: 'product' },
      });
    }
  });
});
