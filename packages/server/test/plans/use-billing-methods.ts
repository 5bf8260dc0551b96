import type { TestApp } from '../harness/index.ts';
import type { RecordedApi } from './recorded-api.ts';

const PATH = '/v1/payment-methods';
const TYPED = { number: '4242424242424242', exp_month: 12, exp_year: 2050, cvc: '123' };

/** Creates, attaches, changes and removes the cards of a new organization, and acts as its customer. */
export async function useBillingMethods(test: TestApp, api: RecordedApi): Promise<void> {
  const owner = await test.register('Card holder');
  const token = owner.accessToken;
  const attach = async (id: string, more = {}): Promise<string> =>
    (await api.call('POST', PATH, { token, body: { payment_method_id: id, ...more } })).body.data.id;
  const remove = (id: string) => api.call('DELETE', `${PATH}/${id}`, { token });
  const made = await api.call('POST', '/v1/sandbox/payment-methods', { token, body: TYPED });
  const first = await attach(made.body.data.id);
  const second = await attach('pm_card_mastercard', { set_default: true });
  await attach(first, { set_default: true });
  await remove(first);
  await attach('pm_card_amex');
  await api.during('the job that detaches cards', () => test.runJob('billing.detach-removed-methods'));
  await remove(second);
  await useCustomer(test, api, token);
  await api.during('unused cards', () => test.runJob('sandbox.delete-unused-cards'));
}

/** Buys with a card that the customer has to authenticate, and does so. */
async function useCustomer(test: TestApp, api: RecordedApi, token: string): Promise<void> {
  const plans = (await test.api.get('/v1/plans', token)).body.data;
  const { id: planId } = plans.find((plan: { price: number | null }) => plan.price !== null && plan.price > 0);
  const body = { plan_id: planId, quantity: 1, payment_method_id: 'pm_card_authenticationRequired' };
  const bought = await test.api.post('/v1/subscriptions', token, body);
  const confirmation = { client_secret: bought.body.data.client_secret, outcome: 'succeed' };
  await api.call('POST', '/v1/sandbox/payments/confirm', { token, body: confirmation });
}
