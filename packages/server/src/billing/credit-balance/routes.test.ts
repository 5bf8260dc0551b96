import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { registerStaff } from '../../../test/harness/staff.ts';
import { MovedClock } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createTest({ environment: 'sandbox', clock }).extend('finance', { scope: 'file' }, ({ app }) =>
  registerStaff(app, clock, 'finance'),
);

const get = (app: TestApp, who: Member | undefined, headers = {}) =>
  app.api.call('GET', '/v1/credit-balance', { token: who?.accessToken, headers });

describe('GET /v1/credit-balance', () => {
  it('200: is empty at first, and lists each granted currency, the largest amount first', async ({
    app,
    finance,
    ada,
  }) => {
    expect((await get(app, ada)).body.data).toEqual({ balances: [] });
    for (const [amount, currency] of [
      [1_000, 'eur'],
      [5_000, 'usd'],
    ]) {
      const grant = { organization_id: ada.organizationId, amount, currency, reason: 'An outage' };
      await app.api.post('/v1/operator/credits', finance.accessToken, grant);
    }
    const { status, body } = await get(app, ada);
    expect(status).toBe(200);
    expect(body.data.balances).toEqual([
      { currency: 'usd', balance: 5_000 },
      { currency: 'eur', balance: 1_000 },
    ]);
  });

  it('leaves out the credit that invoices have used', async ({ app, shop, finance, ada }) => {
    const grant = { organization_id: ada.organizationId, amount: 2_900, currency: 'usd', reason: 'An outage' };
    await app.api.post('/v1/operator/credits', finance.accessToken, grant);
    await shop.buy(ada, 'pm_card_visa', { quantity: 1 });
    expect((await get(app, ada)).body.data).toEqual({ balances: [] });
  });

  it('shows nothing of other organizations', async ({ app, finance, ada }) => {
    const grant = { organization_id: ada.organizationId, amount: 500, currency: 'usd', reason: 'An outage' };
    await app.api.post('/v1/operator/credits', finance.accessToken, grant);
    expect((await get(app, await app.register('Eve'))).body.data).toEqual({ balances: [] });
  });

  it('401 without a token, 403 for members without the role', async ({ app, admin }) => {
    expect((await get(app, undefined)).status).toBe(401);
    const member = await joinOrganization(app, admin);
    const answer = await get(app, member, { 'x-organization-id': admin.organizationId });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    const bookkeeper = await joinOrganization(app, admin, 'billing');
    expect((await get(app, bookkeeper, { 'x-organization-id': admin.organizationId })).status).toBe(200);
  });
});
