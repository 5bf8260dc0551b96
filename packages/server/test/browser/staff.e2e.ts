import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AuthWorld, codeOf, type Visitor } from './auth-world.ts';
import { startChromium } from './chromium.ts';
import { countRequests, findLost, judgeLooks, settle } from './looks.ts';

const OWNER = { email: 'owner@example.com', password: 'a loom that weaves algebra' };

let world: AuthWorld;
let browser: Browser;
let customer: Visitor;
/** Each code of the app works once, so the logins use recovery codes. */
const recoveryCodes: string[] = [];
const contexts: BrowserContext[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  [world, browser] = await Promise.all([AuthWorld.start(), startChromium()]);
  customer = await world.register('Delta Audio');
  await setUpOwner();
});
afterAll(async () => {
  await browser.close();
  await world.close();
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  expect(complaints.splice(0)).toEqual([]);
});

async function createPage(): Promise<Page> {
  const viewport = { width: 1280, height: 800 };
  const options = { ignoreHTTPSErrors: true, viewport, locale: 'en', reducedMotion: 'reduce' as const };
  const context = await browser.newContext(options);
  contexts.push(context);
  const page = await context.newPage();
  countRequests(page);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return page;
}

/** The first owner creates their account with the link that the service printed. */
async function setUpOwner(): Promise<void> {
  const page = await createPage();
  await page.goto(world.firstOwnerLink);
  const key = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('New password').fill(OWNER.password);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key, 0));
  await page.getByRole('button', { name: 'Finish setup' }).click();
  await page.locator('.codes li').first().waitFor();
  recoveryCodes.push(...(await page.locator('.codes li').allInnerTexts()).map((code) => code.trim()));
}

/** Logs in with the second factor, and ends on the staff overview. */
async function logInAsStaff(page: Page): Promise<void> {
  await page.goto(`${world.baseUrl}/staff`);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.locator('input[name=password]').fill(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code').fill(recoveryCodes.pop() ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('Monthly recurring revenue').waitFor();
}

/** Goes to the customer by keyboard alone. */
async function findCustomer(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill(customer.email);
  await page.getByRole('option', { name: /^Customer/ }).waitFor();
  const kinds = await page.getByRole('option').allInnerTexts();
  for (let at = 0; at < kinds.findIndex((text) => text.startsWith('Customer')); at += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Delta Audio', level: 1 }).waitFor();
}

describe('staff', () => {
  it('find a customer with Ctrl+K, suspend them with a reason, and reinstate them', async () => {
    const page = await createPage();
    await logInAsStaff(page);
    await findCustomer(page);
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Unpaid since March');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Unpaid since March').waitFor();
    expect(await world.statusOf('/v1/licenses', customer.accessToken)).toBe(403);
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click();
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    expect(await world.statusOf('/v1/licenses', customer.accessToken)).toBe(200);
  });

  it('issue a license, and explain who can get one of its seats', async () => {
    const page = await createPage();
    await logInAsStaff(page);
    await findCustomer(page);
    const organizationId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.goto(`${world.baseUrl}/staff/licenses?organization_id=${organizationId}`);
    await page.getByRole('button', { name: 'Issue license' }).first().click();
    await page.getByRole('dialog').getByLabel('Product').fill('seathold-demo');
    await page.getByRole('dialog').getByLabel('Seats').fill('7');
    await page.getByRole('dialog').getByRole('button', { name: 'Issue license' }).click();
    await page.getByText('0 of 7 in use').waitFor();
    await page.getByRole('link', { name: 'Explain' }).last().click();
    await page.getByLabel('User: email or ID').fill(customer.email);
    await page.keyboard.press('Enter');
    await page.getByText('Delta Audio can get a seat').waitFor();
  });

  it('act for a customer under a banner, see no secret of theirs, and stop with one click', async () => {
    const page = await createPage();
    await logInAsStaff(page);
    await findCustomer(page);
    await page.getByRole('link', { name: 'Act for customer' }).click();
    const banner = page.getByRole('region', { name: 'Acting for a customer' });
    await banner.getByText('Delta Audio').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill('https://seathold.invalid/hooks');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('staff never see a customer’s secrets').waitFor();
    expect(await page.getByTestId('secret').count()).toBe(0);
    await page.getByRole('button', { name: 'Done' }).last().click();
    await page.reload();
    await page.getByRole('link', { name: 'https://seathold.invalid/hooks' }).waitFor();
    await banner.waitFor();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('org_');
    await banner.getByRole('link', { name: 'Stop acting' }).click();
    await page.getByRole('heading', { name: 'Delta Audio', level: 1 }).waitFor();
    expect(await banner.count()).toBe(0);
    const log = await world.call('GET', '/v1/audit-log', customer.accessToken);
    expect(log.find(({ action }: { action: string }) => action === 'webhook.created').actor).toMatchObject({
      type: 'staff',
      email: OWNER.email,
    });
  });

  it('apply a change to the catalogue after seeing the difference', async () => {
    const page = await createPage();
    await logInAsStaff(page);
    await page.goto(`${world.baseUrl}/staff/catalogue`);
    const field = page.getByLabel('The catalogue as JSON');
    const text = await field.inputValue();
    expect(await page.getByRole('button', { name: 'Show the difference' }).isDisabled()).toBe(true);
    await field.fill(text.replace('"price": 2900', '"price": 3100'));
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('heading', { name: 'What would change' }).waitFor();
    await page.locator('ins', { hasText: '3100' }).waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Applied: one change.').waitFor();
    const plans: Array<{ price: number | null }> = await world.call('GET', '/v1/plans');
    expect(plans.map(({ price }) => price)).toContain(3100);
  });

  it('without a role see that this part is not for them', async () => {
    const page = await createPage();
    await page.goto(`${world.baseUrl}/staff/customers`);
    await page.getByLabel('Email address').fill(customer.email);
    await page.locator('input[name=password]').fill(customer.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This part is for staff' }).waitFor();
  });
});

const SCREENS = [
  '',
  '/customers',
  '/users',
  '/licenses',
  '/refusals',
  '/explain',
  '/subscriptions',
  '/invoices',
  '/payments',
  '/exports',
  '/catalogue',
  '/products',
  '/team',
  '/tokens',
  '/audit-log',
];

it('staff tables fit into a 1280 px window in English and in German, even with a long name and email address', async () => {
  await world.register(
    'Maximiliane von Hohenstein-Oberbergheim',
    'maximiliane.von-hohenstein@animation-studio.example',
  );
  const page = await createPage();
  await logInAsStaff(page);
  const found: string[] = [];
  for (const language of ['en', 'de']) {
    await page.evaluate(`localStorage.setItem('seathold.language', '${language}')`);
    for (const path of ['/customers', '/users', '/licenses', '/team', '/tokens', '/audit-log']) {
      await page.goto(`${world.baseUrl}/staff${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settle(page);
      found.push(...(await findLost(page, `staff${path} in ${language}`)));
    }
  }
  expect(found).toEqual([]);
});

it('the staff screens have no axe violations, and do not scroll sideways', async () => {
  const page = await createPage();
  await logInAsStaff(page);
  const found: string[] = [];
  for (const path of SCREENS) {
    await page.goto(`${world.baseUrl}/staff${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    found.push(...(await judgeLooks(page, `staff${path.replaceAll('/', '-')}`)));
  }
  await findCustomer(page);
  found.push(...(await judgeLooks(page, 'staff-customer')));
  await page.getByRole('link', { name: 'Act for customer' }).click();
  await page.getByRole('region', { name: 'Acting for a customer' }).waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  found.push(...(await judgeLooks(page, 'staff-acting')));
  expect(found).toEqual([]);
});
