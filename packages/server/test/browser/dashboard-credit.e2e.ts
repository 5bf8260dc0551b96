import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findFaults } from './looks.ts';
import { MoneyWorld } from './money-world.ts';

let world: MoneyWorld;

beforeAll(async () => {
  world = await MoneyWorld.start();
});
afterAll(() => world.close());
afterEach(async () => {
  await world.closeBrowsers();
  expect(world.complaints.splice(0)).toEqual([]);
});

it('the dashboard shows the credit before an order, and the amount left to pay', async () => {
  const { page, token } = await world.registerPayer();
  const id = await world.buyAndShow(page, token, 3);
  await world.call('PATCH', `/v1/subscriptions/${id}`, token, { quantity: 1 });
  const { balances } = await world.call('GET', '/v1/credit-balance', token);
  const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;
  await page.getByRole('link', { name: 'Invoices' }).click();
  await page.getByText(`Credit: ${dollars(balances[0].balance)}`).waitFor();
  await page.goto(`${world.baseUrl}/subscriptions/new`);
  await page.getByRole('radio', { name: /^Pro/ }).check();
  await page.getByRole('spinbutton', { name: 'Seats' }).fill('4');
  await page.getByText(`-${dollars(balances[0].balance)}`).waitFor();
  const due = page.getByTestId('order-price');
  await due.and(page.getByText(dollars(11_600 - balances[0].balance))).waitFor();
  expect(await findFaults(page, 'order-with-credit')).toEqual([]);
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.getByRole('definition').getByText('Active').waitFor();
  const [invoice] = await world.call('GET', '/v1/invoices', token);
  expect(invoice).toMatchObject({ credit_applied: balances[0].balance, total: 11_600 });
});

it("the dashboard shows before the order why an organization's second free subscription is refused", async () => {
  const { page, token } = await world.registerPayer();
  const order = { plan_id: await world.planId('Free'), quantity: 1, payment_method_id: 'pm_card_visa' };
  await world.call('POST', '/v1/subscriptions', token, order);
  await page.goto(`${world.baseUrl}/subscriptions/new`);
  await page.getByRole('alert').getByText('already has a free subscription').waitFor();
  world.expectRefusals(409);
  await page.getByRole('radio', { name: /^Pro/ }).check();
  await page.getByTestId('order-price').and(page.getByText('$29.00')).waitFor();
});
