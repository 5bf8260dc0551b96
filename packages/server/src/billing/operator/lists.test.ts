import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const it = createTest({ environment: 'sandbox' })
  .extend('viewer', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app, null, 'viewer')).token)
  .extend('sold', { scope: 'file' }, async ({ app, shop }) => {
    const [first, second] = [await app.register(), await app.register()];
    const ids = [await shop.buy(first), await shop.buy(second)];
    await shop.cancel(second, ids[1] ?? '', { cancel_immediately: true });
    return { first, second, ids };
  });

const LISTS = ['subscriptions', 'invoices', 'payments'] as const;

const list = (app: TestApp, token: string, path: string) => app.api.get(`/v1/operator/${path}`, token);

async function organizationsOf(app: TestApp, token: string, path: string): Promise<string[]> {
  const { body } = await list(app, token, path);
  return body.data.map((each: { organization_id: string }) => each.organization_id);
}

describe.for(LISTS)('GET /v1/operator/%s', (name) => {
  it('200: lists those of all organizations, newest first', async ({ app, viewer, sold }) => {
    const { first, second } = sold;
    const found = await organizationsOf(app, viewer, name);
    expect(found).toEqual([second.organizationId, first.organizationId]);
  });

  it('200: pages through them', async ({ app, viewer, sold }) => {
    const { body } = await list(app, viewer, `${name}?limit=1&sort=created_at`);
    expect(body.pagination.has_more).toBe(true);
    const next = `${name}?limit=1&sort=created_at&cursor=${body.pagination.next_cursor}`;
    expect(await organizationsOf(app, viewer, next)).toEqual([sold.second.organizationId]);
  });

  it('200: lists those of one organization', async ({ app, viewer, sold }) => {
    const { organizationId } = sold.first;
    expect(await organizationsOf(app, viewer, `${name}?organization_id=${organizationId}`)).toEqual([organizationId]);
    expect(await organizationsOf(app, viewer, `${name}?organization_id=org_00000000000000000000000000`)).toEqual([]);
  });

  it('200: lists those created before or after a time', async ({ app, viewer }) => {
    expect(await organizationsOf(app, viewer, `${name}?created_before=2020-01-01T00:00:00Z`)).toEqual([]);
    expect(await organizationsOf(app, viewer, `${name}?created_after=2020-01-01T00:00:00Z`)).toHaveLength(2);
  });

  it('400: refuses an unknown filter', async ({ app, viewer }) => {
    for (const query of ['status=late', 'created_after=yesterday', 'plan=pro', 'sort=amount', 'limit=0']) {
      expect((await list(app, viewer, `${name}?${query}`)).body.error.code).toBe('invalid_request');
    }
  });

  it('401 and 403: refuses everyone except staff', async ({ app, admin }) => {
    expect((await app.api.get(`/v1/operator/${name}`)).status).toBe(401);
    expect((await list(app, admin.accessToken, name)).body.error.code).toBe('insufficient_scope');
  });

  it('shows nothing of the other environment', async ({ viewer }) => {
    const production = await startAppForTest();
    const { token } = await makeOperatorToken(production, null, 'viewer');
    expect(await organizationsOf(production, token, name)).toEqual([]);
    expect((await list(production, viewer, name)).body.error.code).toBe('invalid_token');
  });
});

it('invoices and payments are found by the names that customers and providers use', async ({
  app,
  shop,
  viewer,
  sold,
}) => {
  const [invoice] = await shop.invoices(sold.first);
  const byNumber = await list(app, viewer, `invoices?number=${invoice.number}`);
  expect(byNumber.body.data).toMatchObject([{ id: invoice.id, organization_id: sold.first.organizationId }]);
  const { body } = await list(app, viewer, `payments?organization_id=${sold.first.organizationId}`);
  const byRef = await list(app, viewer, `payments?provider_ref=${body.data[0].provider_ref}`);
  expect(byRef.body.data).toEqual(body.data);
  expect(body.data[0]).toMatchObject({ invoice_id: invoice.id, payment_method_id: expect.stringMatching(/^pm_/) });
});

it('subscriptions are filtered by status', async ({ app, viewer, sold }) => {
  const { body } = await list(app, viewer, 'subscriptions?status=canceled');
  expect(body.data).toMatchObject([{ id: sold.ids[1], organization_id: sold.second.organizationId }]);
});
