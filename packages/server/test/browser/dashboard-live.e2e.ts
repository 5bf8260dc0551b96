import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DashboardWorld, type Person } from './dashboard-world.ts';
import { findFaults, judgeLooks, NARROW, WIDE } from './looks.ts';

let world: DashboardWorld;
const pages: Page[] = [];

beforeAll(async () => {
  world = await DashboardWorld.start();
});
afterAll(() => world.close());
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.context().close()));
  expect(world.complaints.splice(0)).toEqual([]);
});

async function visit(path: string, person: Person, look = {}): Promise<Page> {
  const page = await world.visit(path, person, look);
  pages.push(page);
  return page;
}

/** Buys seats, and returns the license with them. */
async function buySeats(person: Person, quantity: number): Promise<{ id: string; key: string }> {
  const plans: Array<{ id: string; name: string }> = await world.call('GET', '/v1/plans');
  const planId = plans.find(({ name }) => name === 'Pro')?.id;
  await world.call('POST', '/v1/subscriptions', person.accessToken, {
    plan_id: planId,
    quantity,
    payment_method_id: 'pm_card_visa',
  });
  const [license] = await world.call('GET', '/v1/licenses', person.accessToken);
  return license;
}

async function takeSeat(person: Person, key: string, machine: string): Promise<void> {
  const hardware_id = `hw_${machine.padStart(32, '0')}`;
  await world.call('POST', '/v1/licenses/acquire', person.accessToken, { license_key: key, hardware_id });
}

/** The requests of a page, as method and path. */
function watchRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return requests;
}

describe('a change made elsewhere', () => {
  it('appears without a reload, and without polling', async () => {
    const person = await world.register();
    const { id, key } = await buySeats(person, 3);
    const page = await visit('/', person);
    const streamed = page.waitForResponse((answer) => answer.url().endsWith('/v1/events/stream'));
    await page.goto(`${world.baseUrl}/licenses/${id}`);
    expect((await streamed).status()).toBe(200);
    await page.getByText('0 of 3 in use').first().waitFor();
    const requests = watchRequests(page);
    await takeSeat(person, key, '1');
    await page.getByText('1 of 3 in use').first().waitFor();
    await page.getByRole('cell', { name: 'hw_00000000000000000000000000000001' }).waitFor();
    await takeSeat(person, key, '2');
    await page.getByText('2 of 3 in use').first().waitFor();
    // Data that the events do not concern was not requested again.
    expect(requests.filter((request) => request.includes('/v1/') && !request.includes('/v1/licenses'))).toEqual([]);
  });

  it('reaches every tab through one stream', async () => {
    const person = await world.register();
    const { id, key } = await buySeats(person, 3);
    const page = await visit(`/licenses/${id}`, person);
    const other = await page.context().newPage();
    const requests = watchRequests(other);
    await other.goto(`${world.baseUrl}/licenses/${id}`);
    await other.getByText('0 of 3 in use').first().waitFor();
    await takeSeat(person, key, '1');
    await other.getByText('1 of 3 in use').first().waitFor();
    expect(requests).not.toContain('GET /v1/events/stream');
    // Another tab takes over when the first one is closed.
    const followed = other.waitForResponse((answer) => answer.url().endsWith('/v1/events/stream'));
    await page.close();
    expect((await followed).status()).toBe(200);
    await takeSeat(person, key, '2');
    await other.getByText('2 of 3 in use').first().waitFor();
  });

  it('appears in a chosen organization, whose stream needs a header', async () => {
    const person = await world.register();
    const { id } = await world.call('POST', '/v1/orgs', person.accessToken, { name: 'Second' });
    const page = await visit('/', person);
    await page.getByRole('button', { name: /^Organization/ }).click();
    // The first organization's stream may be answered only now.
    const streamed = page.waitForResponse(
      (answer) => answer.url().endsWith('/v1/events/stream') && answer.request().headers()['x-organization-id'] === id,
    );
    await page.getByRole('menuitem', { name: 'Second' }).click();
    expect((await streamed).status()).toBe(200);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'Invitations', exact: true }).waitFor();
    // The invitation is created as if by another program: nothing on this page refreshes the list.
    await page.evaluate(
      `fetch('/v1/orgs/${id}/invitations', { method: 'POST', headers: { 'content-type': 'application/json', 'x-organization-id': '${id}' }, body: JSON.stringify({ email: 'grace@example.com', role: 'member' }) })`,
    );
    await page.getByRole('cell', { name: 'grace@example.com' }).waitFor();
  });

  it('appears by polling if the stream is refused', async () => {
    const person = await world.register();
    const { id, key } = await buySeats(person, 3);
    const page = await visit('/', person);
    await page.route('**/v1/events/stream', (route) => route.fulfill({ status: 429, body: '{}' }));
    await page.goto(`${world.baseUrl}/licenses/${id}`);
    await page.getByText('0 of 3 in use').first().waitFor();
    await takeSeat(person, key, '1');
    await page.getByText('1 of 3 in use').first().waitFor();
    // Chromium itself reports each 429 response.
    expect(world.complaints.splice(0).every((text) => text.includes('429'))).toBe(true);
  });
});

describe('the clock of the sandbox', () => {
  it('moves a month, renews the subscription, and shows what happened', async () => {
    const person = await world.register();
    await buySeats(person, 2);
    const page = await visit('/invoices', person);
    await page.getByRole('button', { name: 'Advance the clock by 1 month' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sandbox clock' });
    await dialog.getByRole('link', { name: 'invoice.paid' }).waitFor();
    await dialog.getByText('31 days').or(dialog.getByText('30 days')).waitFor();
    expect(await findFaults(page, 'clock-happened')).toEqual([]);
    await dialog.getByRole('link', { name: /^inv_/ }).first().click();
    await page.waitForURL(/invoices\/inv_/);
    expect(await world.call('GET', '/v1/invoices', person.accessToken)).toHaveLength(2);
  });

  it('moves to any time by keyboard alone, and shows when nothing became due', async () => {
    const page = await visit('/', await world.register());
    const button = page.getByRole('button', { name: /^Sandbox clock/ });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Sandbox clock' });
    await dialog.getByLabel('Advance to').focus();
    await page.keyboard.press('Enter');
    await dialog.getByText(/Nothing became due until/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
  });

  it('is hidden from members, who may not move it', async () => {
    const admin = await world.register();
    const page = await visit('/', admin);
    await page.getByRole('button', { name: /^Sandbox clock/ }).waitFor();
    const me = await world.call('GET', '/v1/me', admin.accessToken);
    const data = { ...me, organization: { ...me.organization, role: 'member' } };
    await page.route('**/v1/me', (route) => route.fulfill({ json: { data } }));
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /^Sandbox clock/ }).count()).toBe(0);
  });
});

describe('a page that was open before an upgrade', () => {
  it('reloads by itself if one of its files is gone, and then works', async () => {
    const page = await visit('/projects', await world.register());
    let loads = 0;
    await page.route(`${world.baseUrl}/**`, async (route, request) => {
      const { pathname } = new URL(request.url());
      if (request.resourceType() === 'document') {
        loads += 1;
      }
      if (loads === 0 && pathname.startsWith('/assets/')) {
        await route.fulfill({ status: 404 });
      } else if (loads === 0 && pathname === '/') {
        await route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/newer.js">' });
      } else {
        await route.continue();
      }
    });
    const button = page.getByRole('button', { name: 'View curl and TypeScript' });
    await button.click();
    await expect.poll(() => loads).toBe(1);
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await button.click();
    await page.getByRole('dialog', { name: 'The same from a program' }).waitFor();
    expect(loads).toBe(1);
    // What the router and Chromium reported about the missing files.
    world.complaints.length = 0;
  });

  it('reports an error instead of reloading forever if the file is still gone', async () => {
    const page = await visit('/projects', await world.register());
    let loads = 0;
    page.on('request', (request) => {
      loads += request.resourceType() === 'document' ? 1 : 0;
    });
    await page.route('**/assets/code-dialog*.js', (route) => route.fulfill({ status: 404 }));
    const asked = page.waitForResponse(`${world.baseUrl}/`);
    await page.getByRole('button', { name: 'View curl and TypeScript' }).click();
    await asked;
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(loads).toBe(0);
    world.complaints.length = 0;
  });
});

describe('test events', () => {
  it('are sent to an endpoint from the events screen', async () => {
    const person = await world.register();
    const page = await visit('/events', person);
    await page.getByRole('button', { name: 'Trigger event' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Add an endpoint' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Trigger event' }).and(page.locator(':focus')).waitFor();
    const endpoint = { url: 'https://seathold.invalid/hooks', events: ['*'] };
    const { id } = await world.call('POST', '/v1/webhooks', person.accessToken, endpoint);
    await page.reload();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('dialog').getByLabel('Type').selectOption('invoice.paid');
    await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The test event is on its way.').waitFor();
    const deliveries = await world.call('GET', `/v1/webhooks/${id}/deliveries`, person.accessToken);
    expect(deliveries).toMatchObject([{ event_type: 'invoice.paid', is_test: true }]);
  });
});

describe('the code for an action', () => {
  it('is shown afterwards for curl and TypeScript, and never with a secret', async () => {
    const page = await visit('/projects', await world.register());
    await page.getByRole('button', { name: 'Create project' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill("Babbage's engine");
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByRole('button', { name: 'View curl and TypeScript' }).click();
    const dialog = page.getByRole('dialog', { name: 'The same from a program' });
    const code = dialog.locator('pre');
    await expect
      .poll(() => code.textContent())
      .toContain(`curl --cacert data/tls/ca.pem -X POST '${world.baseUrl}/v1/projects'`);
    expect(await code.textContent()).toContain('Authorization: Bearer $SEATHOLD_TOKEN');
    expect(await code.textContent()).toContain(`"name":"Babbage'\\''s engine"`);
    await dialog.getByText('TypeScript').click();
    await expect.poll(() => code.textContent()).toContain('seathold.projects.create({');
    expect(await code.textContent()).toContain("name: 'Babbage\\'s engine'");
    expect(await code.textContent()).not.toContain('svc_');
    expect(await findFaults(page, 'code-dialog')).toEqual([]);
  });

  it('runs as shown', async () => {
    const person = await world.register();
    const page = await visit('/projects', person);
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByRole('button', { name: 'View curl and TypeScript' }).click();
    const code = page.getByRole('dialog', { name: 'The same from a program' }).locator('pre');
    await expect.poll(() => code.textContent()).toContain('/v1/');
    const [, url = ''] = /curl [^']*'([^']+)'/.exec((await code.textContent()) ?? '') ?? [];
    expect(await world.call('GET', url.replace(world.baseUrl, ''), person.accessToken)).toBeDefined();
  });

  it('contains no password and no verification code', async () => {
    const page = await visit('/account', await world.register());
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.getByRole('button', { name: 'View curl and TypeScript' }).click();
    const options = await page.getByLabel('What was done').locator('option').allTextContents();
    expect(options.join()).not.toMatch(/auth\.(login|verify|setUp)|me\./);
  });
});

it.each([
  ['en', WIDE],
  ['de-DE', NARROW],
])('the clock and the code in the language %s have no axe violations', async (locale, looks) => {
  const person = await world.register();
  await buySeats(person, 2);
  await world.call('POST', '/v1/webhooks', person.accessToken, { url: 'https://seathold.invalid/', events: ['*'] });
  const page = await visit('/subscriptions', person, { locale });
  const found = await judgeLooks(page, 'clock-bar', looks);
  await page.getByRole('button', { name: /^(Sandbox clock|Uhr der Sandbox)/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^\+1 (month|Monat)/ }).click();
  await dialog.getByRole('link', { name: 'invoice.paid' }).waitFor();
  found.push(...(await judgeLooks(page, 'clock-dialog', looks)));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^(Trigger event|Ereignis auslösen)$/ }).click();
  await dialog.getByRole('combobox').first().waitFor();
  found.push(...(await judgeLooks(page, 'test-event', looks)));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^(View curl and TypeScript|Als curl und TypeScript ansehen)$/ }).click();
  await page.locator('pre').waitFor();
  found.push(...(await judgeLooks(page, 'code', looks)));
  expect(found).toEqual([]);
});
