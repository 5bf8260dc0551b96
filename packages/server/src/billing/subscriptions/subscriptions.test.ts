import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';

let test: TestApp;
let pro: string;

beforeAll(async () => {
  test = await openTestApp({ environment: 'sandbox' });
  const plans = await test.api.get('/v1/plans', undefined);
  pro = plans.body.data.find((plan: { name: string }) => plan.name === 'Pro').id;
});
afterAll(() => test.close());

const subscribe = (member: Member, quantity: number, method = 'pm_card_visa') =>
  test.api.post('/v1/subscriptions', member.accessToken, { plan_id: pro, quantity, payment_method_id: method });

describe('a subscription', () => {
  it('is active with a license of its seats once it is paid', async () => {
    const ada = await test.register('Ada');
    const created = await subscribe(ada, 5);
    console.log(JSON.stringify(created.body));
    expect(created.status).toBe(201);
    const id = created.body.data.id;
    const read = await test.api.get(`/v1/subscriptions/${id}`, ada.accessToken);
    console.log(JSON.stringify(read.body));
    const license = await test.api.get(`/v1/licenses/${read.body.data.license_id}`, ada.accessToken);
    console.log(JSON.stringify(license.body));
    const up = await test.api.call('PATCH', `/v1/subscriptions/${id}`, { body: { quantity: 8 }, token: ada.accessToken });
    console.log(JSON.stringify(up.body));
    const down = await test.api.call('PATCH', `/v1/subscriptions/${id}`, { body: { quantity: 2 }, token: ada.accessToken });
    console.log(JSON.stringify(down.body));
    const pre = await test.api.get(`/v1/subscriptions/${id}/preview?quantity=4`, ada.accessToken);
    console.log(JSON.stringify(pre.body));
    const invoices = await test.api.get(`/v1/invoices`, ada.accessToken);
    console.log(JSON.stringify(invoices.body.data, null, 1));
    const c = await test.api.post(`/v1/subscriptions/${id}/cancel`, ada.accessToken, {});
    console.log(JSON.stringify(c.body));
    const r = await test.api.post(`/v1/subscriptions/${id}/resume`, ada.accessToken, {});
    console.log(JSON.stringify(r.body));
    const adv = await test.api.post(`/v1/sandbox/clock/advance`, ada.accessToken, {seconds: 86400*70});
    console.log(JSON.stringify(adv.body, null, 1));
  });
});
