import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Member } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { Shop } from '../../../test/harness/shop.ts';

let shop: Shop;
let ada: Member;
let id: string;

beforeAll(async () => {
  shop = await Shop.start();
  ada = await shop.app.register();
  id = await shop.buy(ada);
});
afterAll(() => shop.close());

/** Every endpoint, with a request that succeeds with an admin's token. */
const ENDPOINTS = [
  { method: 'GET', path: () => '/v1/subscriptions', isRead: true },
  { method: 'GET', path: () => `/v1/subscriptions/${id}`, isRead: true },
  { method: 'GET', path: () => `/v1/subscriptions/${id}/preview?quantity=6`, isRead: true },
  {
    method: 'POST',
    path: () => '/v1/subscriptions',
    body: () => ({ plan_id: shop.plans.pro, quantity: 1, payment_method_id: 'pm_card_visa' }),
  },
  { method: 'PATCH', path: () => `/v1/subscriptions/${id}`, body: () => ({ quantity: 6 }) },
  { method: 'POST', path: () => `/v1/subscriptions/${id}/cancel`, body: () => ({}) },
  { method: 'POST', path: () => `/v1/subscriptions/${id}/resume`, body: () => ({}) },
];
type Endpoint = (typeof ENDPOINTS)[number];

const ask = ({ method, path, body }: Endpoint, token?: string, headers = {}) =>
  shop.app.api.call(method, path(), { token, body: body?.(), headers });
const nameOf = ({ method, path }: Endpoint) => `${method} ${path().replace(/sub_\w+|undefined/, '{id}')}`;

describe.each(ENDPOINTS.map((each) => [nameOf(each), each] as const))('%s', (_name, endpoint) => {
  it('requires a token', async () => {
    expect((await ask(endpoint)).status).toBe(401);
  });

  it('is refused for a member who is neither an admin nor a billing member', async () => {
    const member = await joinOrganization(shop.app, ada);
    const answer = await ask(endpoint, member.accessToken, { 'x-organization-id': ada.organizationId });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
  });

  it('is allowed for a billing member', async () => {
    const bookkeeper = await joinOrganization(shop.app, ada, 'billing');
    const answer = await ask(endpoint, bookkeeper.accessToken, { 'x-organization-id': ada.organizationId });
    expect([401, 403, 404]).not.toContain(answer.status);
  });

  it("does not find another organization's subscriptions", async () => {
    const eve = await shop.app.register('Eve');
    const answer = await ask(endpoint, eve.accessToken);
    if (endpoint.path().includes(id)) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    } else if (endpoint.method === 'GET') {
      expect(answer.body.data).toEqual([]);
    }
  });
});

describe('an invalid order', () => {
  it.each([
    [{ quantity: 0 }, 'quantity'],
    [{ quantity: 10_001 }, 'quantity'],
    [{ quantity: 1.5 }, 'quantity'],
    [{ quantity: '5' }, 'quantity'],
    [{ payment_method_id: 'pm card' }, 'payment_method_id'],
    [{ unknown: true }, 'unknown'],
  ])('is refused: %j', async (wrong, field) => {
    const answer = await shop.order(ada, 'pm_card_visa', wrong);
    expect([answer.status, answer.body.error.details.field]).toEqual([400, field]);
  });
});

describe('a preview', () => {
  it('shows exactly what the change will cost', async () => {
    const bob = await shop.app.register('Bob');
    const own = await shop.buy(bob);
    const preview = (await shop.app.api.get(`/v1/subscriptions/${own}/preview?quantity=9`, bob.accessToken)).body.data;
    await shop.change(bob, own, { quantity: 9 });
    const invoice = (await shop.invoices(bob)).at(-1);
    // A second may have passed in between, which costs less than a cent for four seats.
    expect(preview.amount_due - invoice.amount_due).toBeGreaterThanOrEqual(0);
    expect(preview.amount_due - invoice.amount_due).toBeLessThanOrEqual(1);
    expect(preview).toMatchObject({ quantity: 9, next_period_amount: 26_100, credit_added: 0 });
  });
});
