import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DashboardWorld, type Person } from './dashboard-world.ts';
import { judgeLooks, NARROW, WIDE } from './looks.ts';

let world: DashboardWorld;
let ada: Person;

beforeAll(async () => {
  world = await DashboardWorld.start();
  ada = await world.register();
});
afterAll(() => world.close());

const REQUEST_ID = 'req_01m8c7sg9ee03a8fsy4ptcysp3';
/** What a screen needs to know who is logged in, and the stream, which has its own test. */
const SPARED = /\/v1\/(me|events\/stream|orgs)(\?|$)/;

const refuse = (route: Route) =>
  route.fulfill({
    status: 500,
    json: {
      success: false,
      error: { code: 'internal_error', message: 'Something went wrong.' },
      meta: { request_id: REQUEST_ID },
    },
  });

/** Makes every read fail from now on, as if the service were broken. */
async function breakReads(page: Page): Promise<() => Promise<void>> {
  const isBroken = (url: URL) => url.pathname.startsWith('/v1/') && !SPARED.test(url.pathname);
  await page.route(isBroken, refuse);
  return () => page.unroute(isBroken, refuse);
}

/** Chromium itself reports the responses. */
const expectOnlyFailures = () => expect(world.complaints.splice(0).filter((text) => !text.includes('500'))).toEqual([]);

/** The addresses in the navigation. */
async function listScreens(page: Page): Promise<string[]> {
  const links = await page.locator('nav a[href^="/"]').all();
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
}

it('a screen whose data cannot be read says so with the request ID, and is complete after a retry', async () => {
  const page = await world.visit('/', ada);
  const paths = await listScreens(page);
  expect(paths.length).toBeGreaterThan(14);
  const repair = await breakReads(page);
  const failure = page.getByRole('alert').filter({ hasText: REQUEST_ID });
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(world.baseUrl + path);
    await failure.first().waitFor();
    found.push(
      ...(await judgeLooks(page, `failed${path.replaceAll('/', '-')}`, path === '/' ? [...WIDE, ...NARROW] : [])),
    );
  }
  await page.goto(`${world.baseUrl}/webhooks`);
  await failure.waitFor();
  await repair();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
  expect(await failure.count()).toBe(0);
  expect(found).toEqual([]);
  expectOnlyFailures();
});

it('a further page that cannot be read leaves the loaded rows, and a retry continues', async () => {
  for (let number = 1; number <= 30; number += 1) {
    await world.call('POST', '/v1/projects', ada.accessToken, { name: `Project ${number}` });
  }
  const page = await world.visit('/projects', ada);
  const rows = page.getByText(/^Project \d+$/);
  await expect.poll(() => rows.count()).toBe(25);
  const repair = await breakReads(page);
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByRole('alert').filter({ hasText: REQUEST_ID }).waitFor();
  expect(await rows.count()).toBe(25);
  expect(await judgeLooks(page, 'failed-page')).toEqual([]);
  await repair();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => rows.count()).toBe(30);
  expect(await page.getByRole('alert').count()).toBe(0);
  expectOnlyFailures();
});
