import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DashboardWorld, type Person } from './dashboard-world.ts';
import { settle } from './looks.ts';

// A screen's content stays in place while the rest of it loads (https://web.dev/articles/cls).

/** 0.1 counts as good. */
const MOST_SHIFT = 0.02;

let world: DashboardWorld;
let newcomer: Person;
let customer: Person;

beforeAll(async () => {
  world = await DashboardWorld.start();
  newcomer = await world.register();
  customer = await world.register();
  const post = (path: string, body: unknown) => world.call('POST', path, customer.accessToken, body);
  const plans: Array<{ id: string; name: string }> = await world.call('GET', '/v1/plans');
  const plan = plans.find(({ name }) => name === 'Pro');
  const order = { plan_id: plan?.id, quantity: 3, payment_method_id: 'pm_card_visa' };
  const { id } = await post('/v1/subscriptions', order);
  const { license_id: license } = await world.call('GET', `/v1/subscriptions/${id}`, customer.accessToken);
  const { key } = await world.call('GET', `/v1/licenses/${license}`, customer.accessToken);
  await post('/v1/licenses/acquire', { license_key: key, hardware_id: `hw_${'a'.repeat(32)}` });
  await post('/v1/api-tokens', { name: 'Build server', scopes: ['read:licenses'] });
  for (const name of ['seats', 'billing']) {
    await post('/v1/webhooks', { url: `https://seathold.invalid/${name}`, events: ['*'] });
  }
});
afterAll(() => world.close());

/** Delays the API's responses: they arrive one after another, long after the frame that shows their placeholders. */
async function delayAnswers(page: Page): Promise<void> {
  let asked = 0;
  await page.route(/\/v1\/(?!events\/stream)/, async (route) => {
    asked += 1;
    await sleep(100 + 60 * (asked % 7));
    await route.continue();
  });
}

/** Adds up the shifts from the first frame on. */
const OBSERVE = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      window.shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? node?.textContent) });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

it.each([
  ['/', 1280],
  ['/licenses', 1280],
  ['/webhooks', 1280],
  ['/', 360],
  ['/licenses', 360],
  ['/webhooks', 360],
] as const)('nothing shifts while %s loads, %s px wide', async (path, width) => {
  for (const person of [newcomer, customer]) {
    const page = await world.visit('/account', person, { width });
    await page.addInitScript(OBSERVE);
    await delayAnswers(page);
    await page.goto(world.baseUrl + path);
    await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
    await settle(page);
    const shifts = await page.evaluate<Array<{ value: number; moved: string[] }>>('window.shifts');
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    expect(sum, JSON.stringify(shifts, undefined, 1)).toBeLessThan(MOST_SHIFT);
    await page.context().close();
  }
});

/** How the frame is placed. Fixed, as soon as its styles apply. */
const PLACED = `[...document.querySelectorAll('.first-frame')].map((frame) => getComputedStyle(frame).position).join()`;

const COUNT_PAINTS = `performance.getEntriesByName('first-contentful-paint').length`;

it.each([360, 1280])('paints the frame before a script has arrived, %s px wide, and its logo stays', async (width) => {
  const page = await world.visit('/account', customer, { width });
  const scripts = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  const placeOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    if (box === null) {
      throw new Error(`${selector} is not visible`);
    }
    return [Math.round(box.x), Math.round(box.y)];
  };
  await page.goto(`${world.baseUrl}/licenses`, { waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(PLACED)).toBe('fixed');
  await expect.poll(() => page.evaluate(COUNT_PAINTS)).toBe(1);
  await page.locator('.first-frame img').waitFor();
  const before = await placeOf('.first-frame img');
  scripts.resolve();
  await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('.first-frame').isVisible()).toBe(false);
  expect(await placeOf('header img')).toEqual(before);
  await page.context().close();
});

it('a browser without scripts shows a logged-in person what is missing, and no frame over it', async () => {
  const visited = await world.visit('/account', customer);
  const storageState = await visited.context().storageState();
  await visited.context().close();
  const context = await world.browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled: false, storageState });
  const page = await context.newPage();
  await page.goto(`${world.baseUrl}/licenses`);
  expect(await page.locator('.first-frame').count()).toBe(1);
  expect(await page.locator('noscript').innerText()).toContain('The dashboard requires JavaScript.');
  // A click fails where something covers the link.
  await page.locator('noscript a').click({ timeout: 30_000 });
  await page.waitForURL(`${world.baseUrl}/docs`);
  await context.close();
});
