import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { downloadPdf } from './download-pdf.ts';
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

describe('the purchase page', () => {
  it('sells a subscription for the price shown, from the empty list to the license', async () => {
    const { page } = await world.registerPayer();
    await page.getByRole('link', { name: 'Subscriptions' }).click();
    await page.getByRole('heading', { name: 'No subscriptions yet' }).waitFor();
    await page.getByRole('link', { name: 'Choose a plan' }).first().click();
    await page.getByRole('radio', { name: /^Pro/ }).check();
    await page.getByRole('spinbutton', { name: 'Seats' }).fill('3');
    await page.getByTestId('order-price').and(page.getByText('$87.00')).waitFor();
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.getByRole('definition').getByText('Active').waitFor();
    await page.getByRole('table').getByText('$87.00').first().waitFor();
    await page.getByRole('link', { name: 'Show license' }).click();
    await page.getByText('0 of 3 in use').first().waitFor();
  });

  it('shows why a card is declined, keeps the order, and sells it with another card', async () => {
    const { page } = await world.registerPayer();
    await world.order(page, '2', 'pm_card_chargeDeclinedInsufficientFunds');
    await page.getByRole('alert').getByText('The card has insufficient funds. Nothing was charged.').waitFor();
    await page.getByRole('alert').getByText('Request ID').waitFor();
    world.expectRefusals(422);
    await page.getByLabel('Test card').selectOption('pm_card_mastercard');
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.getByRole('definition').getByText('Active').waitFor();
    await page.getByRole('definition').getByText('$58.00 per month').waitFor();
  });

  it('refuses an unknown coupon next to its field', async () => {
    const { page } = await world.registerPayer();
    await page.goto(`${world.baseUrl}/subscriptions/new`);
    await page.getByLabel('Coupon code').fill('NOTHING');
    await page.getByRole('radio', { name: /^Pro/ }).check();
    // The preview is refused as well, so only the response to the order shows that all complaints have arrived.
    const refused = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.status() === 422);
    await page.getByRole('button', { name: 'Pay now' }).click();
    await refused;
    await page.getByText('No such coupon.').waitFor();
    world.expectRefusals(422);
  });

  it('waits for the bank, survives a reload, and shows an active subscription once the payment is approved', async () => {
    const { page } = await world.registerPayer();
    await world.order(page, '2', AUTHENTICATED);
    await page.getByRole('dialog', { name: 'Confirm the payment' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('The first payment is not confirmed').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Confirm payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('definition').getByText('Active').waitFor();
  });

  it('shows that the bank is still processing a payment with a typed card number', async () => {
    const { page } = await world.registerPayer();
    await page.goto(`${world.baseUrl}/subscriptions/new`);
    await page.getByRole('radio', { name: /^Pro/ }).check();
    await page.getByLabel('Card number').fill('4000000000200032');
    expect(await page.getByLabel('Test card').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.getByText('The bank needs some time.').waitFor();
    expect(await page.getByRole('button', { name: 'Confirm payment' }).count()).toBe(0);
  });

  it('charges nothing if the customer refuses at the bank', async () => {
    const { page } = await world.registerPayer();
    await world.order(page, '2', AUTHENTICATED);
    await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
    await page.getByRole('alert').getByText('The payment was not authenticated. Nothing was charged.').waitFor();
  });
});

describe('the page of a subscription', () => {
  it('shows the cost of more seats as they are typed, and charges that amount', async () => {
    const { page, token } = await world.registerPayer();
    await world.buyAndShow(page, token, 5);
    await page.getByRole('button', { name: 'Change seats or plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Choose another number of seats').waitFor();
    expect(await dialog.getByRole('button', { name: 'Change seats or plan' }).isDisabled()).toBe(true);
    await dialog.getByRole('spinbutton', { name: 'Seats' }).fill('7');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change seats or plan');
    await page.keyboard.press('Enter');
    expect(await dialog.getByRole('spinbutton', { name: 'Seats' }).inputValue()).toBe('5');
    await dialog.getByRole('spinbutton', { name: 'Seats' }).fill('8');
    await dialog.getByText('$232.00').waitFor();
    const pay = dialog.getByRole('button', { name: /^Pay \$\d+\.\d\d$/ });
    const [amount = ''] = /\$\d+\.\d\d/.exec((await pay.textContent()) ?? '') ?? [];
    await pay.click();
    await page.getByRole('definition').getByText('8', { exact: true }).waitFor();
    await page
      .getByRole('table')
      .getByText(/\$8[67]\.\d\d/)
      .first()
      .waitFor();
    expect(amount).toMatch(/^\$8[67]\./);
  });

  it('gives credit for fewer seats', async () => {
    const { page, token } = await world.registerPayer();
    await world.buyAndShow(page, token, 5);
    await page.getByRole('button', { name: 'Change seats or plan' }).click();
    await page.getByRole('dialog').getByRole('spinbutton', { name: 'Seats' }).fill('2');
    await page.getByRole('dialog').getByText('Credit for the next invoices').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Change seats or plan' }).click();
    await page.getByRole('definition').getByText('2', { exact: true }).waitFor();
  });

  it('keeps the old number of seats until the bank has approved more', async () => {
    const { page, token } = await world.registerPayer();
    const id = await world.buyAndShow(page, token, 2);
    await world.call('POST', '/v1/payment-methods', token, { payment_method_id: AUTHENTICATED, set_default: true });
    await page.goto(`${world.baseUrl}/subscriptions/${id}?seats=4`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('dialog', { name: 'Confirm the payment' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('The change to 4 seats waits for its payment').waitFor();
    await page.getByRole('definition').getByText('2', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Confirm payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('definition').getByText('4', { exact: true }).waitFor();
  });

  it('cancels at the end of the period and resumes, by keyboard alone', async () => {
    const { page, token } = await world.registerPayer();
    await world.buyAndShow(page, token, 2);
    await page.getByRole('button', { name: 'Cancel subscription' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /when the paid period ends/ }).press('Tab');
    await page.keyboard.type('We finished the project.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('This subscription does not renew').waitFor();
    await page.getByRole('button', { name: 'Resume subscription' }).press('Enter');
    await page.getByText('This subscription does not renew').waitFor({ state: 'detached' });
    await page.getByRole('definition').getByText('Active').waitFor();
  });

  it('ends a subscription immediately if that is chosen', async () => {
    const { page, token } = await world.registerPayer();
    await world.buyAndShow(page, token, 2);
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('radio', { name: /^Immediately/ }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel immediately' }).click();
    await page.getByRole('definition').getByText('Canceled').waitFor();
    expect(await page.getByRole('button', { name: 'Change seats or plan' }).count()).toBe(0);
  });
});

describe('a failed renewal', () => {
  it('is shown, names the reason when paid by hand, and is paid by a new default card', async () => {
    const { page, token } = await world.registerPayer();
    const id = await world.buyAndShow(page, token, 1, 'pm_card_chargeCustomerFail');
    await world.call('POST', '/v1/sandbox/clock/advance', token, { seconds: 32 * 86_400 });
    await page.reload();
    await page.getByText('The renewal could not be charged').waitFor();
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.getByRole('alert').getByText('The card was declined.').waitFor();
    world.expectRefusals(422);
    await page.getByRole('link', { name: 'Payment methods' }).click();
    await page.getByRole('button', { name: 'Add card' }).click();
    await page.getByLabel('Use it for renewals').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Add card' }).click();
    await page.getByRole('row', { name: /4242.*Renewals/ }).waitFor();
    await page.goto(`${world.baseUrl}/subscriptions/${id}`);
    await page.getByRole('definition').getByText('Active').waitFor();
  });
});

describe('the page of payment methods', () => {
  it('adds a card, makes it the default, and removes the other', async () => {
    const { page, token } = await world.registerPayer();
    await world.call('POST', '/v1/payment-methods', token, { payment_method_id: 'pm_card_visa' });
    await page.getByRole('link', { name: 'Payment methods' }).click();
    await page.getByRole('button', { name: 'Add card' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Test card').selectOption('pm_card_mastercard');
    await dialog.getByRole('button', { name: 'Add card' }).click();
    await page.getByRole('button', { name: 'Make default: Mastercard •••• 4444' }).click();
    await page.getByRole('row', { name: /Mastercard.*Renewals/ }).waitFor();
    await page.getByRole('button', { name: 'Remove Visa •••• 4242' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('cell', { name: 'Visa •••• 4242', exact: true }).waitFor({ state: 'detached' });
  });

  it('keeps the only card of a live subscription, and says why', async () => {
    const { page, token } = await world.registerPayer();
    await world.buyAndShow(page, token, 1);
    await page.getByRole('link', { name: 'Payment methods' }).click();
    await page.getByRole('button', { name: 'Remove Visa •••• 4242' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alert').getByText('A live subscription is paid with this card').waitFor();
    world.expectRefusals(409);
  });

  it('explains a declined card in the reader’s language', async () => {
    const { page } = await world.registerPayer({ locale: 'de-DE' });
    await page.goto(`${world.baseUrl}/payment-methods`);
    await page.getByRole('button', { name: 'Karte hinzufügen' }).first().click();
    await page.getByLabel('Testkarte').selectOption('pm_card_chargeDeclined');
    await page.getByRole('dialog').getByRole('button', { name: 'Karte hinzufügen' }).click();
    await page.getByRole('alert').getByText('Die Karte wurde abgelehnt.').waitFor();
    world.expectRefusals(422);
  });
});

it("a license's demand leads to the number of seats that would have been enough", async () => {
  const { page, token } = await world.registerPayer();
  const id = await world.buyAndShow(page, token, 1);
  const { license_id: licenseId } = await world.call('GET', `/v1/subscriptions/${id}`, token);
  const { key } = await world.call('GET', `/v1/licenses/${licenseId}`, token);
  const acquire = (machine: string) =>
    world.try('POST', '/v1/licenses/acquire', token, { license_key: key, hardware_id: `hw_${machine.repeat(32)}` });
  expect(await acquire('1')).toBe(201);
  expect([await acquire('2'), await acquire('3')]).toEqual([409, 409]);
  await page.getByRole('link', { name: 'Show license' }).click();
  await page.getByRole('tab', { name: 'Demand' }).click();
  await page.getByText('Show as a table').click();
  await page.getByRole('region', { name: 'Demand' }).getByRole('cell', { name: '2', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Buy 2 more seats' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change subscription' });
  expect(await dialog.getByRole('spinbutton', { name: 'Seats' }).inputValue()).toBe('3');
  await dialog.getByRole('button', { name: /^Pay/ }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await page.getByRole('definition').getByText('3', { exact: true }).waitFor();
  expect(await dialog.count()).toBe(0);
});

it('the dashboard saves billing details, and clears emptied fields', async () => {
  const { page, token } = await world.registerPayer();
  await page.getByRole('link', { name: 'Billing details' }).click();
  await page.getByLabel('Legal name').fill('Analytical Engines Ltd');
  await page.getByLabel('Address', { exact: true }).fill('12 St James’s Square\nLondon');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The billing details were saved.').waitFor();
  await page.reload();
  expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('12 St James’s Square\nLondon');
  await page.getByLabel('Legal name').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The billing details were saved.').waitFor();
  const { organization } = await world.call('GET', '/v1/me', token);
  const { billing_details: details } = await world.call('GET', `/v1/orgs/${organization.id}`, token);
  expect(details).toMatchObject({ legal_name: null, address: '12 St James’s Square\nLondon' });
});

it("the dashboard shows how much of the plans' included usage is used", async () => {
  const { page, token } = await world.registerPayer();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'No licenses yet' }).waitFor();
  await world.buyAndShow(page, token, 4);
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('row', { name: 'Seats 4 0 0 0%' }).waitFor();
  await page.getByRole('row', { name: 'AI tokens 1,000,000 0 – 0%' }).waitFor();
  await page.getByRole('rowheader', { name: 'AI tokens' }).waitFor();
});

it('the dashboard shows the invoice of a purchase, and downloads its PDF', async () => {
  const { page, token } = await world.registerPayer();
  await world.buyAndShow(page, token, 3);
  await page.getByRole('link', { name: 'Invoices' }).click();
  await page.getByRole('row', { name: /Paid \$87\.00 \$0\.00/ }).waitFor();
  const file = await downloadPdf(page, world);
  expect(file.suggestedFilename()).toMatch(/-000001\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
  await page
    .getByRole('table')
    .getByRole('link', { name: /-000001$/ })
    .click();
  await page.getByRole('row', { name: /^Pro.* 3 \$29\.00 \$87\.00$/ }).waitFor();
  expect(await page.locator('.invoice-sums').innerText()).toMatch(
    /Total\s+\$87\.00\s+Amount due\s+\$87\.00\s+Amount paid\s+-\$87\.00\s+Balance due\s+\$0\.00$/,
  );
});
