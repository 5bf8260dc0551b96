import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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

describe('a member without the role billing', () => {
  it('sees on each screen about money who has access, and no links to these screens', async () => {
    const page = await world.logInMember('member');
    for (const path of [
      'subscriptions',
      'subscriptions/new',
      'payment-methods',
      'invoices',
      'billing-details',
      'usage',
    ]) {
      await page.goto(`${world.baseUrl}/${path}`);
      await page.getByText('Only people with the role billing or admin see this').waitFor();
      expect(await page.getByRole('link', { name: 'Subscriptions' }).count(), path).toBe(0);
      expect(await page.getByRole('button', { name: 'Pay now' }).count(), path).toBe(0);
    }
  });
});

it('the dashboard lets a member with the role billing buy with a listed test card, but only read the billing details', async () => {
  const page = await world.logInMember('billing');
  await page.goto(`${world.baseUrl}/subscriptions/new`);
  await page.getByText('Only administrators can enter other test numbers.').waitFor();
  expect(await page.getByLabel('Card number').count()).toBe(0);
  await page.getByRole('radio', { name: /^Pro/ }).check();
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.getByRole('definition').getByText('Active').waitFor();
  await page.goto(`${world.baseUrl}/billing-details`);
  await page.getByText('Only administrators can change the billing details.').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
});

it('the dashboard sells a subscription to someone who uses only the keyboard', async () => {
  const { page } = await world.registerPayer();
  const press = async (key: string, times = 1) => {
    for (let count = 0; count < times; count += 1) {
      await page.keyboard.press(key);
    }
  };
  const focused = () => page.evaluate('document.activeElement.name || document.activeElement.textContent');
  await page.goto(`${world.baseUrl}/subscriptions/new`);
  await page.getByRole('radio', { name: /^Free/ }).focus();
  await press('ArrowRight');
  await press('Tab');
  expect(await focused()).toBe('seats');
  await press('ArrowUp', 2);
  await page.getByTestId('order-price').and(page.getByText('$87.00')).waitFor();
  await press('Tab');
  expect(await focused()).toBe('coupon');
  await press('Tab', 6);
  expect(await focused()).toBe('Pay now');
  await press('Enter');
  await page.getByRole('definition').getByText('Active').waitFor();
});
