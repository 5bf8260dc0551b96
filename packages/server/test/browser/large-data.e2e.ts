import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DashboardWorld, type Person } from './dashboard-world.ts';
import { deliveries, licenses, plantMuch, takenSeats } from './plant-much.ts';

const LICENSES = 10_000;
/** A soak has more: the page's content does not grow with them. */
const DELIVERIES = process.env.SEATHOLD_SOAK === '1' ? 100_000 : 10_000;
const SEATS = 5_000;
const LOOKS_BACK = process.env.SEATHOLD_SOAK === '1' ? 1_000 : 40;

/** How many elements a screen of any length may have. A table of 10,000 rows would be a hundred thousand elements. */
const MOST_ELEMENTS = 2_500;
const MOST_MEGABYTES = 90;

let world: DashboardWorld;
let ada: Person;
let busiestLicense: string;
let endpoint: string;

beforeAll(async () => {
  world = await DashboardWorld.start({ SEATHOLD_HEARTBEAT_INTERVAL: '600', SEATHOLD_SESSION_TIMEOUT: '86400' });
  ada = await world.register();
  const created = await world.run(['operator', 'token', 'create', '--sandbox', '--name', 'test', '--json']);
  const operator = /svc_opt_\w{42}/.exec(created)?.[0] ?? '';
  const issued = {
    organization_id: ada.organizationId,
    product: 'seathold-demo',
    max_seats: SEATS,
    expires_at: '2040-01-01T00:00:00Z',
  };
  busiestLicense = (await world.call('POST', '/v1/operator/licenses', operator, issued)).id;
  endpoint = (
    await world.call('POST', '/v1/webhooks', ada.accessToken, {
      url: 'https://seathold.invalid/',
      events: ['invoice.paid'],
    })
  ).id;
  await plantMuch(world, ada, [
    ...takenSeats(busiestLicense, SEATS),
    ...licenses(LICENSES),
    ...deliveries(endpoint, DELIVERIES),
  ]);
});
afterAll(() => world.close());

const elementsOf = (page: Page) => page.evaluate<number>('document.querySelectorAll("*").length');

/** The memory of the page's own objects, not counting garbage. */
async function megabytesOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 2 ** 20;
}

async function watchMemory(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  return devtools;
}

/** The number of the last row in the page, as given to screen readers. */
async function lastRow(page: Page, table: string): Promise<number> {
  const rows = page.getByRole('region', { name: table }).locator('tr[aria-rowindex]');
  return Number(await rows.last().getAttribute('aria-rowindex'));
}

/** Scrolls down until this many rows have been in view, and returns the highest number of elements at any time. */
async function scrollThrough(page: Page, table: string, rows: number): Promise<number> {
  let most = 0;
  while ((await lastRow(page, table)) < rows) {
    const before = await lastRow(page, table);
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await expect.poll(() => lastRow(page, table)).toBeGreaterThan(before);
    most = Math.max(most, await elementsOf(page));
  }
  return most;
}

/** The rendered rows that do not begin where the row before them ends. */
function displacedRows(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('tr[aria-rowindex][data-index]')].flatMap((row, at, rows) => {
    const gap = at === 0 ? 0 : row.getBoundingClientRect().top - rows[at - 1].getBoundingClientRect().bottom;
    return Math.abs(gap) > 1 ? [row.getAttribute('aria-rowindex') + ': ' + gap] : [];
  })`);
}

it.each([
  ['Licenses', 1280],
  ['Deliveries', 1280],
  ['Licenses', 360],
] as const)(
  'the dashboard lists all %s, %s px wide, and keeps only those in view in the page',
  async (table, width) => {
    const page = await world.visit(table === 'Licenses' ? '/licenses' : `/webhooks/${endpoint}`, ada, { width });
    const devtools = await watchMemory(page);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.locator('tr[aria-rowindex]').first().waitFor();
    expect(await scrollThrough(page, table, 2_000)).toBeLessThan(MOST_ELEMENTS);
    expect(await megabytesOf(devtools)).toBeLessThan(MOST_MEGABYTES);
    // Back at the top, the first row is where it was.
    await page.evaluate('window.scrollTo(0, 0)');
    await page.locator('tr[aria-rowindex="2"]').waitFor();
    expect(await page.locator('tr[aria-rowindex]').count()).toBeLessThan(60);
    expect(await displacedRows(page)).toEqual([]);
    expect(world.complaints.splice(0)).toEqual([]);
  },
);

it('a long list measures its rows again when the window becomes narrow, and when it becomes wide', async () => {
  const page = await world.visit('/licenses', ada);
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.locator('tr[aria-rowindex]').first().waitFor();
  const heightOf = (selector: string) =>
    page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().height`);
  const wide = await heightOf('.table-frame');
  await page.setViewportSize({ width: 360, height: 800 });
  // A row has five lines now, also those that were never rendered.
  await expect.poll(() => heightOf('.table-frame')).toBeGreaterThan(wide * 2);
  expect(await displacedRows(page)).toEqual([]);
  expect(await page.locator('tr[aria-rowindex]').count()).toBeLessThan(60);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => heightOf('.table-frame')).toBeLessThan(wide * 1.1);
  expect(await displacedRows(page)).toEqual([]);
  const columns = await page.evaluate<number[]>(
    '[...document.querySelectorAll("th")].map((cell) => cell.getBoundingClientRect().width)',
  );
  expect(Math.min(...columns)).toBeGreaterThan(40);
});

it('the keyboard reaches each row: the focus stays in the page while it scrolls', async () => {
  const page = await world.visit('/licenses', ada);
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.locator('tr[aria-rowindex]').first().waitFor();
  const links = page.getByRole('region', { name: 'Licenses' }).getByRole('link');
  await links.first().focus();
  const seen = new Set<string>();
  for (let steps = 0; steps < 120; steps += 1) {
    seen.add(await page.evaluate<string>('document.activeElement.closest("tr")?.getAttribute("aria-rowindex") ?? ""'));
    await page.keyboard.press('Tab');
  }
  expect(Math.max(...[...seen].map(Number))).toBeGreaterThan(50);
});

it('the dashboard draws 5,000 live seats as a map that shows who holds each, and lists them below', async () => {
  const page = await world.visit(`/licenses/${busiestLicense}`, ada);
  const devtools = await watchMemory(page);
  await page.getByText('5,000 of 5,000').first().waitFor();
  const table = page.getByRole('region', { name: 'Seats' }).getByRole('table');
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(SEATS + 1));
  expect(await elementsOf(page)).toBeLessThan(MOST_ELEMENTS);
  const map = page.locator('.seat-map');
  await page.evaluate('document.querySelector(".seat-map").scrollTo(0, 1_000_000)');
  const last = map.locator(`[data-slot="${SEATS}"]`);
  await last.waitFor();
  expect(await last.getAttribute('data-taken')).toBe('true');
  await last.hover();
  await page.getByText(`workstation-${SEATS}`).first().waitFor();
  expect(await map.locator('.seat').count()).toBeLessThan(1_500);
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
  await page.getByRole('cell', { name: `workstation-${SEATS}`, exact: true }).waitFor();
  expect(await elementsOf(page)).toBeLessThan(MOST_ELEMENTS);
  expect(await megabytesOf(devtools)).toBeLessThan(MOST_MEGABYTES);
  expect(world.complaints.splice(0)).toEqual([]);
});

it('the dashboard needs no more memory after many minutes of use than after a few', async () => {
  const page = await world.newPage();
  await page.clock.install();
  // Without a stream of events, the screen polls every five seconds.
  await page.route('**/v1/events/stream', (route) => route.fulfill({ status: 429, body: '{}' }));
  await page.goto(`${world.baseUrl}/login?next=${encodeURIComponent(`/webhooks/${endpoint}`)}`);
  await page.locator('input[name=email]').fill(ada.email);
  await page.locator('input[name=password]').fill('an engine that weaves patterns');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Deliveries' }).getByRole('link').first().waitFor();
  const devtools = await watchMemory(page);
  const look = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await Promise.all([
        page.waitForResponse((answer) => answer.url().includes('/deliveries')),
        page.clock.runFor(5_100),
      ]);
    }
  };
  await look(20);
  const before = await megabytesOf(devtools);
  await look(LOOKS_BACK);
  expect((await megabytesOf(devtools)) - before).toBeLessThan(5);
});
