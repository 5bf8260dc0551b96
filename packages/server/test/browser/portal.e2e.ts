import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DashboardWorld, PASSWORD, type Person } from './dashboard-world.ts';
import { judgeLooks } from './looks.ts';

let world: DashboardWorld;
let host: Server;
let hostPort: number;
let ada: Person;

/** Someone else's page, which shows the address in its query in a frame. */
const HOST_PAGE = `<!doctype html><html lang="en"><title>Host</title><h1>Host</h1>
<iframe title="Webhooks" style="width:100%;height:600px"></iframe>
<script>document.querySelector('iframe').src = location.hash.slice(1)</script></html>`;

beforeAll(async () => {
  host = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(HOST_PAGE));
  await new Promise<void>((resolve) => host.listen(0, 'localhost', resolve));
  hostPort = (host.address() as AddressInfo).port;
  const settings = { SEATHOLD_PORTAL_ANCESTORS: `http://localhost:${hostPort}`, SEATHOLD_LOG_LEVEL: 'info' };
  world = await DashboardWorld.start(settings);
  ada = await world.register();
});
afterAll(async () => {
  host.close();
  await world.close();
});

const createLink = async (): Promise<string> =>
  (await world.call('POST', '/v1/webhooks/portal-links', ada.accessToken, {})).url;

const openPortal = async (page: Page) => {
  await page.goto(await createLink());
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
};

it('a link manages webhooks without a login, and leaves no secret in the address or the storage', async () => {
  const page = await world.newPage();
  await openPortal(page);
  expect(page.url()).toBe(`${world.baseUrl}/portal`);
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  await page.getByRole('textbox', { name: 'URL' }).fill('https://seathold.invalid/hooks');
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  expect(await page.getByTestId('secret').textContent()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Done' }).last().click();
  await page.getByRole('link', { name: 'https://seathold.invalid/hooks' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('region', { name: 'Deliveries' }).getByRole('link').click();
  await page.getByText('Attempt 1').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name: 'https://seathold.invalid/hooks' }).waitFor();
  const kept = await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])');
  expect(`${kept}${page.url()}`).not.toMatch(/svc_/);
  expect(await page.context().cookies()).toEqual([]);
  expect(world.complaints).toEqual([]);
});

it('an admin creates a link in the dashboard, which opens the portal, and the portal offers no further links', async () => {
  const person = await world.register();
  const page = await world.visit('/webhooks', person);
  await page.getByRole('button', { name: 'Share access' }).click();
  const dialog = page.getByRole('dialog');
  const found = await judgeLooks(page, 'share-webhooks');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = (await page.getByTestId('secret').textContent()) ?? '';
  found.push(...(await judgeLooks(page, 'share-webhooks-link')));
  const developer = await world.newPage();
  await developer.goto(link);
  await developer.getByRole('button', { name: 'Add endpoint' }).first().waitFor();
  expect(await developer.getByRole('button', { name: 'Share access' }).count()).toBe(0);
  // The link is a secret, so the panel with the code of recorded calls does not show it.
  expect(await page.getByText('svc_wpl_').count()).toBe(1);
  expect(found).toEqual([]);
  expect(world.complaints).toEqual([]);
});

it('a link works once: a second visit and a reload say where to get a new one', async () => {
  const link = await createLink();
  const page = await world.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  const other = await world.newPage();
  await other.goto(link);
  await other.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  // Chromium itself reports the refusals.
  expect(world.complaints.splice(0).filter((text) => !/40[01]/.test(text))).toEqual([]);
});

it('the portal says that the session has ended once its admin has lost the right', async () => {
  const page = await world.newPage();
  const leaver = await world.register();
  const { url } = await world.call('POST', '/v1/webhooks/portal-links', leaver.accessToken, {});
  await page.goto(url);
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await world.call('DELETE', '/v1/me', leaver.accessToken, { password: PASSWORD });
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  await page.getByRole('textbox', { name: 'URL' }).fill('https://seathold.invalid/hooks');
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(world.complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
});

it('the portal can be framed only by an allowed site, and the dashboard by none', async () => {
  const frameIn = async (site: string, address: string) => {
    const page = await world.newPage();
    await page.goto(`${site}/#${address}`);
    return page;
  };
  const allowed = await frameIn(`http://localhost:${hostPort}`, await createLink());
  await allowed.frameLocator('iframe').getByRole('heading', { name: 'Webhooks' }).waitFor();
  expect(world.complaints).toEqual([]);
  for (const [site, address] of [
    [`http://127.0.0.1:${hostPort}`, await createLink()],
    [`http://localhost:${hostPort}`, `${world.baseUrl}/webhooks`],
    [`http://localhost:${hostPort}`, `${world.baseUrl}/portal/`],
  ] as const) {
    const page = await frameIn(site, address);
    await expect.poll(() => world.complaints.some((text) => text.includes('frame-ancestors'))).toBe(true);
    expect(await page.frameLocator('iframe').getByRole('heading', { name: 'Webhooks' }).count()).toBe(0);
    world.complaints.splice(0);
  }
});

it("the portal acts with the link's rights, not as the person logged in to the same browser", async () => {
  const grace = await world.register();
  await world.call('POST', '/v1/webhooks', grace.accessToken, { url: 'https://seathold.invalid/grace', events: ['*'] });
  const page = await world.visit('/webhooks', grace);
  await page.getByRole('link', { name: 'https://seathold.invalid/grace' }).waitFor();
  await page.goto(await createLink());
  await page.getByRole('link', { name: 'https://seathold.invalid/hooks' }).waitFor();
  expect(await page.getByText('https://seathold.invalid/grace').count()).toBe(0);
});

it('the portal leaves no secret of a link or a session in the log', () => {
  expect(world.server.output).toContain('/v1/webhooks/portal-links/exchange');
  expect(world.server.output).not.toMatch(/svc_wp[ls]_/);
});

it('the portal has no axe violations', async () => {
  const page = await world.newPage();
  await openPortal(page);
  await page.getByRole('link', { name: 'https://seathold.invalid/hooks' }).waitFor();
  const found = await judgeLooks(page, 'portal');
  await page.getByRole('link', { name: 'https://seathold.invalid/hooks' }).click();
  await page.getByRole('region', { name: 'Deliveries' }).getByRole('link').first().waitFor();
  found.push(...(await judgeLooks(page, 'portal-endpoint')));
  await page.goto('about:blank');
  await page.goto(`${world.baseUrl}/portal`);
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  found.push(...(await judgeLooks(page, 'portal-over')));
  expect(found).toEqual([]);
});
