import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf } from './auth-world.ts';
import { DashboardWorld, PASSWORD, type Person } from './dashboard-world.ts';
import { settle } from './looks.ts';
import { mailedLink } from './mailed-link.ts';

/** Runs wherever it is mistaken for markup: as text, in an attribute, and in a template. */
const PAYLOAD = `"'><img src=x onerror=hit()>{{hit()}}`;

let world: DashboardWorld;
let owner: Person;
let operator: string;
/** Screens with an ID in their address. */
const details: string[] = [];
let staffLink: string;

beforeAll(async () => {
  world = await DashboardWorld.start({ SEATHOLD_HEARTBEAT_INTERVAL: '600', SEATHOLD_SESSION_TIMEOUT: '86400' });
  const created = await world.run(['operator', 'token', 'create', '--sandbox', '--name', PAYLOAD, '--json']);
  operator = /svc_opt_\w{42}/.exec(created)?.[0] ?? '';
  staffLink =
    /https:\/\/\S+staff-setup\?token=\w+/.exec(
      await world.run(['staff', 'add', 'staff@example.com', '--role', 'owner', '--sandbox']),
    )?.[0] ?? '';
  owner = await world.register(PAYLOAD);
  await plant();
});
afterAll(() => world.close());

/** Puts the payload into every name and text that there is. */
async function plant(): Promise<void> {
  const as = (method: Parameters<typeof world.call>[0], path: string, body: unknown) =>
    world.call(method, path, owner.accessToken, body);
  const { email, organizationId } = owner;
  await offer();
  const project = await as('POST', '/v1/projects', { name: PAYLOAD, slug: 'payload', description: PAYLOAD });
  await as('POST', '/v1/projects', { name: `${PAYLOAD} 2`, slug: 'payload-2' });
  await as('PATCH', `/v1/orgs/${organizationId}`, {
    billing_details: { legal_name: PAYLOAD, address: PAYLOAD },
  });
  await as('POST', '/v1/api-tokens', { name: PAYLOAD, scopes: ['read:profile'] });
  await as('POST', '/v1/oauth-apps', {
    name: PAYLOAD,
    redirect_uris: ['https://app.example/cb'],
    scopes: ['read:profile'],
    confidential: true,
  });
  await as('POST', `/v1/orgs/${organizationId}/invitations`, {
    email: 'invited@example.com',
    role: 'member',
  });
  const endpoint = await as('POST', '/v1/webhooks', {
    url: 'https://seathold.invalid/%3Cimg%20src=x%20onerror=hit()%3E',
    events: ['*'],
    description: PAYLOAD,
  });
  const license = await world.call('POST', '/v1/operator/licenses', operator, {
    organization_id: organizationId,
    product: 'seathold-demo',
    max_seats: 2,
    expires_at: '2040-01-01T00:00:00Z',
    features: { watermark: PAYLOAD },
    metadata: { note: PAYLOAD, [PAYLOAD]: 'as a key' },
  });
  const seat = await as('POST', '/v1/licenses/acquire', {
    license_key: license.key,
    hardware_id: `hw_${'a'.repeat(32)}`,
    metadata: { hostname: PAYLOAD, client_version: PAYLOAD, project_id: project.id },
  });
  expect(seat.session_id).toMatch(/^sess_/);
  await as('POST', `/v1/webhooks/${endpoint.id}/test`, { type: 'invoice.paid' });
  await world.call('PATCH', `/v1/operator/organizations/${organizationId}`, operator, {
    notes: PAYLOAD,
    external_id: PAYLOAD,
    metadata: { note: PAYLOAD },
  });
  await sell(as);
  details.push(`/licenses/${license.id}`, `/webhooks/${endpoint.id}`);
  staffDetails.push(`/staff/customers/${organizationId}`, `/staff/licenses/${license.id}`);
  const [user] = await world.call('GET', `/v1/operator/users?query=${encodeURIComponent(email)}`, operator);
  staffDetails.push(
    `/staff/users/${user.id}`,
    `/staff/explain?email=${encodeURIComponent(email)}&license_id=${license.id}`,
  );
}

const staffDetails: string[] = [];

/**
 * A catalogue whose plans, products and features have this name. The code of a coupon can only have letters, digits, -
 * and _.
 */
async function offer(): Promise<void> {
  const catalog = await world.call('GET', '/v1/operator/catalog', operator);
  const plans = catalog.plans.map((plan: object) => ({ ...plan, name: PAYLOAD, description: PAYLOAD }));
  const features = { watermark: { type: 'string', name: PAYLOAD } };
  const products = [{ key: 'seathold-demo', name: PAYLOAD, features }];
  await world.call('PUT', '/v1/operator/catalog', operator, { ...catalog, plans, products });
}

/** A subscription to such a plan. */
async function sell(as: (method: 'POST', path: string, body: unknown) => Promise<{ id: string }>): Promise<void> {
  const offered = await world.call('GET', '/v1/plans', owner.accessToken);
  const plan = offered.find(({ price }: { price?: unknown }) => price !== 0) ?? offered.at(-1);
  const { id } = await as('POST', '/v1/subscriptions', {
    plan_id: plan.id,
    quantity: 2,
    payment_method_id: 'pm_card_visa',
  });
  details.push(`/subscriptions/${id}`);
}

const SCREENS = [
  ...['/', '/licenses', '/api-keys', '/webhooks', '/events', '/projects', '/members', '/audit-log', '/account'],
  ...['/subscriptions', '/subscriptions/new', '/invoices', '/payment-methods', '/billing-details', '/usage'],
];
const STAFF_SCREENS = [
  ...['/staff', '/staff/customers', '/staff/users', '/staff/licenses', '/staff/refusals', '/staff/catalogue'],
  ...['/staff/products', '/staff/subscriptions', '/staff/invoices', '/staff/payments', '/staff/team', '/staff/tokens'],
  ...['/staff/audit-log', '/staff/exports'],
];

/** Looks for markup that came from a name: an element that only the payload has, or a sign that its script ran. */
async function findMarkup(page: Page, path: string): Promise<string[]> {
  await page.goto(world.baseUrl + path);
  await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
  await settle(page);
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
  }
  const found = (await page.evaluate(
    `[window.hits ?? 0, document.querySelectorAll('img[src=x]').length, document.body.textContent.includes('onerror=hit()') ? 'shown' : '']`,
  )) as [number, number, string];
  if (found[2] === 'shown') {
    shown.add(path);
  }
  return found[0] === 0 && found[1] === 0 ? [] : [path];
}

/** Screens that show the payload as text, which proves that it reached them. */
const shown = new Set<string>();

const arm = (page: Page) => page.addInitScript('window.hit = () => { window.hits = (window.hits ?? 0) + 1; };');

it('names chosen by customers appear as text on every customer screen', async () => {
  const page = await world.visit('/', owner);
  await arm(page);
  const faults: string[] = [];
  for (const path of [...SCREENS, ...details]) {
    faults.push(...(await findMarkup(page, path)));
  }
  expect(faults).toEqual([]);
  expect([...shown]).toEqual(
    expect.arrayContaining([
      '/',
      '/projects',
      '/members',
      '/api-keys',
      '/subscriptions',
      '/billing-details',
      ...details,
    ]),
  );
  expect(world.complaints.splice(0)).toEqual([]);
});

it('names chosen by customers appear as text to staff too, whose rights a script would have', async () => {
  const page = await world.newPage();
  await arm(page);
  await page.goto(staffLink);
  const key = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key, 0));
  await page.getByRole('button', { name: 'Finish setup' }).click();
  const recovery = (await page.locator('.codes li').first().innerText()).trim();
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.locator('input[name=email]').fill('staff@example.com');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code').fill(recovery);
  await page.keyboard.press('Enter');
  await page.getByText('Monthly recurring revenue').waitFor();
  shown.clear();
  const faults: string[] = [];
  for (const path of [...STAFF_SCREENS, ...staffDetails]) {
    faults.push(...(await findMarkup(page, path)));
  }
  expect(faults).toEqual([]);
  expect([...shown]).toEqual(
    expect.arrayContaining(['/staff/customers', '/staff/tokens', ...staffDetails.slice(0, 1)]),
  );
  expect(world.complaints.splice(0)).toEqual([]);
});

it('names chosen by customers appear as text in mails', async () => {
  const guest = await world.register('Guest');
  await world.call('POST', `/v1/orgs/${owner.organizationId}/invitations`, owner.accessToken, {
    email: guest.email,
    role: 'member',
  });
  const page = await world.newPage();
  await page.goto(await mailedLink(world.folder, guest.email, '/accept-invitation'));
  await page.getByText('I have an account').click();
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in and join' }).click();
  await page.getByText(`You are now a member of ${PAYLOAD}.`).waitFor();
  expect(await page.locator('img[src=x]').count()).toBe(0);
});
