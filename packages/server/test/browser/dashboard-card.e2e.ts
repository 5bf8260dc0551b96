import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type StripeDouble, startStripeDouble } from '../stripe-double/index.ts';
import { judgeLooks } from './looks.ts';
import { MoneyWorld } from './money-world.ts';

let world: MoneyWorld;
let stripe: StripeDouble;

beforeAll(async () => {
  stripe = await startStripeDouble();
  world = await MoneyWorld.start('production', {
    ...stripe.settings,
    SEATHOLD_STRIPE_PUBLISHABLE_KEY: 'pk_test_51Seathold',
  });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});
afterEach(async () => {
  await world.closeBrowsers();
  expect(world.complaints.splice(0)).toEqual([]);
});

/**
 * The parts of Stripe.js that the dashboard uses, served at Stripe's own address: nothing is requested from the
 * internet.
 */
const STRIPE_JS = `
  window.Stripe = () => ({
    elements: () => ({ create: () => ({
      mount: (place) => { place.textContent = '4242 4242 4242 4242'; },
      destroy: () => undefined,
    }) }),
    createPaymentMethod: async () => window.createCard(),
    handleNextAction: async ({ clientSecret }) => window.askBank(clientSecret),
  });
`;

/** Acts as Stripe.js does for someone who enters this card, and as their bank. */
async function playStripe(page: Page, card: string, outcome: 'succeed' | 'fail' = 'succeed'): Promise<void> {
  await page.route('https://js.stripe.com/v3/', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: STRIPE_JS }),
  );
  await page.exposeFunction('createCard', () =>
    card === ''
      ? { error: { message: 'Your card number is incomplete.' } }
      : { paymentMethod: { id: stripe.makeCard(card) } },
  );
  await page.exposeFunction('askBank', async (clientSecret: string) => {
    stripe.playCustomer(clientSecret, outcome);
    for (const event of stripe.events.slice(-3)) {
      const { body, headers } = stripe.sign(event);
      await world.deliver('/v1/providers/stripe/webhook', body, headers);
    }
    return outcome === 'succeed' ? {} : { error: { message: 'We are unable to authenticate your payment method.' } };
  });
}

/** Adds a card with the form, from the list of payment methods. */
async function addCard(page: Page): Promise<void> {
  await page.goto(`${world.baseUrl}/payment-methods`);
  await page.getByRole('button', { name: 'Add card' }).first().click();
  await page.getByText('4242 4242 4242 4242').waitFor();
  await page.getByRole('button', { name: 'Add card' }).click();
}

/** Buys with a card whose bank asks its holder. Returns the subscription, which is not paid yet. */
async function orderUnconfirmed(token: string): Promise<string> {
  const order = {
    plan_id: await world.planId('Pro'),
    quantity: 1,
    payment_method_id: stripe.makeCard('pm_card_authenticationRequired'),
  };
  return (await world.call('POST', '/v1/subscriptions', token, order)).id;
}

/** Whether this document may load Stripe.js. */
function hasStripe(page: Page): Promise<boolean> {
  return page.evaluate('"Stripe" in window');
}

describe('a card in production', () => {
  it('is entered on a page that loads Stripe.js, and buys a subscription', async () => {
    const { page } = await world.registerPayer();
    await playStripe(page, 'pm_card_visa');
    await addCard(page);
    await page.getByRole('row', { name: /Visa •••• 4242/ }).waitFor();
    expect(await hasStripe(page)).toBe(false);
    await page.getByRole('link', { name: 'Subscriptions' }).click();
    await page.getByRole('link', { name: 'Choose a plan' }).first().click();
    await page.getByRole('radio', { name: /^Pro/ }).check();
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.getByRole('definition').getByText('Active').waitFor();
    expect(stripe.charges.at(-1)).toMatchObject({ amount: 2_900 });
  });

  it('is authenticated with its bank, on a page that loads Stripe.js too', async () => {
    const { page } = await world.registerPayer();
    await playStripe(page, 'pm_card_authenticationRequired');
    await addCard(page);
    await page.getByRole('row', { name: /3184/ }).waitFor();
    await page.goto(`${world.baseUrl}/subscriptions/new`);
    await page.getByRole('radio', { name: /^Pro/ }).check();
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm the payment' }).click();
    await page.waitForURL(/\/payment-methods\/confirm\?subscription=sub_/);
    await page.getByRole('button', { name: 'Confirm the payment' }).click();
    await page.getByText('The payment is confirmed.').waitFor();
    await page.getByRole('link', { name: 'Show subscription' }).click();
    await page.getByRole('definition').getByText('Active').waitFor();
    expect(await hasStripe(page)).toBe(false);
  });

  it('is not charged if its bank refuses, and the page says so', async () => {
    const { page, token } = await world.registerPayer();
    await playStripe(page, 'pm_card_authenticationRequired', 'fail');
    const id = await orderUnconfirmed(token);
    await page.goto(`${world.baseUrl}/payment-methods/confirm?subscription=${id}`);
    await page.getByRole('button', { name: 'Confirm the payment' }).click();
    await page.getByRole('alert').getByText('We are unable to authenticate').waitFor();
    await page.getByRole('link', { name: 'Later' }).click();
    await page.waitForURL(/\/subscriptions\/sub_/);
    expect(await hasStripe(page)).toBe(false);
  });

  it('is not added while Stripe rejects the entered details', async () => {
    const { page } = await world.registerPayer();
    await playStripe(page, '');
    await addCard(page);
    await page.getByRole('alert').getByText('Your card number is incomplete.').waitFor();
  });

  it('cannot be entered if Stripe.js does not load, and the page says why', async () => {
    const { page } = await world.registerPayer();
    await page.route('https://js.stripe.com/**', (route) => route.abort());
    await page.goto(`${world.baseUrl}/payment-methods/card`);
    await page.getByText('The card form could not be loaded').waitFor();
    expect(world.complaints.splice(0).every((text) => text.includes('ERR_FAILED'))).toBe(true);
  });
});

it('the pages that take cards have no axe violations, and do not scroll sideways', async () => {
  const { page, token } = await world.registerPayer();
  await playStripe(page, 'pm_card_visa');
  await page.goto(`${world.baseUrl}/payment-methods/card`);
  await page.getByText('4242 4242 4242 4242').waitFor();
  const found = await judgeLooks(page, 'card');
  const id = await orderUnconfirmed(token);
  await page.goto(`${world.baseUrl}/payment-methods/confirm?subscription=${id}`);
  await page.getByRole('button', { name: 'Confirm the payment' }).waitFor();
  found.push(...(await judgeLooks(page, 'confirm')));
  expect(found).toEqual([]);
});
