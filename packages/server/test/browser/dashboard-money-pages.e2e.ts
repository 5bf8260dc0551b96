import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { judgeLooks, NARROW } from './looks.ts';
import { AUTHENTICATED, MoneyWorld } from './money-world.ts';

let world: MoneyWorld;

beforeAll(async () => {
  world = await MoneyWorld.start();
});
afterAll(() => world.close());
afterEach(async () => {
  await world.closeBrowsers();
  expect(world.complaints.splice(0)).toEqual([]);
});

it('the screens about money have no axe violations, and do not scroll sideways', async () => {
  const { page, token } = await world.registerPayer();
  const found: string[] = [];
  const judge = async (name: string) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    found.push(...(await judgeLooks(page, name)));
  };
  for (const path of ['subscriptions', 'subscriptions/new', 'payment-methods', 'billing-details', 'usage']) {
    await page.goto(`${world.baseUrl}/${path}`);
    await judge(`${path.replace('/', '-')}-empty`);
  }
  await world.order(page, '2', AUTHENTICATED);
  await page.getByRole('dialog').getByText('3-D Secure').waitFor();
  await judge('authentication');
  await page.keyboard.press('Escape');
  await page.getByText('The first payment is not confirmed').waitFor();
  await judge('subscription-incomplete');
  const id = await world.buyAndShow(page, token, 5);
  await judge('subscription');
  await page.getByRole('button', { name: 'Change seats or plan' }).click();
  await page.getByRole('dialog').getByRole('spinbutton', { name: 'Seats' }).fill('8');
  await page.getByRole('dialog').getByRole('button', { name: /^Pay/ }).waitFor();
  await judge('subscription-change');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').waitFor();
  await judge('subscription-cancel');
  for (const path of ['subscriptions', 'subscriptions/new', 'payment-methods', 'invoices', 'usage']) {
    await page.goto(`${world.baseUrl}/${path}`);
    await judge(path.replace('/', '-'));
  }
  const [invoice] = await world.call('GET', '/v1/invoices', token);
  await page.goto(`${world.baseUrl}/invoices/${invoice.id}`);
  await page.getByText('Amount paid').waitFor();
  await judge('invoice');
  await page.goto(`${world.baseUrl}/usage`);
  await page.getByText('Show as a table').click();
  await judge('usage-table');
  await world.call('POST', '/v1/payment-methods', token, { payment_method_id: AUTHENTICATED, set_default: true });
  await page.goto(`${world.baseUrl}/subscriptions/${id}?seats=9`);
  await page.getByRole('dialog').getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('dialog', { name: 'Confirm the payment' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('The change to 9 seats waits').waitFor();
  await judge('subscription-pending');
  expect(found).toEqual([]);
});

it('the screens about money pass axe, and scroll only one way, in German on a narrow screen', async () => {
  const { page, token } = await world.registerPayer({ locale: 'de-DE', width: 320 });
  const found: string[] = [];
  const paths = ['subscriptions/new', 'payment-methods', 'invoices', 'billing-details', 'usage'];
  for (const path of paths) {
    await page.goto(`${world.baseUrl}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    found.push(...(await judgeLooks(page, `de-${path.replace('/', '-')}`, NARROW)));
  }
  await world.buyAndShow(page, token, 5);
  found.push(...(await judgeLooks(page, 'de-subscription', NARROW)));
  await page.getByRole('button', { name: 'Plätze oder Tarif ändern' }).click();
  await page.getByRole('spinbutton', { name: 'Plätze' }).fill('8');
  await page.getByRole('button', { name: /bezahlen$/ }).waitFor();
  found.push(...(await judgeLooks(page, 'de-change', NARROW)));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Abonnement kündigen' }).click();
  await page.getByText('Wann endet es?').waitFor();
  found.push(...(await judgeLooks(page, 'de-cancel', NARROW)));
  expect(found).toEqual([]);
});
