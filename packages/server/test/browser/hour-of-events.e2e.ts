import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/ids/index.ts';
import { DashboardWorld, type Person } from './dashboard-world.ts';
import { plantMuch, takenSeats, withDatabase } from './plant-much.ts';

// As many events as a busy organization has in an hour, 20,000, through the real stream. Browsers stay open for days.
// The everyday suite sends 5,000. SEATHOLD_SOAK=1 sends all of them.

const AT_ONCE = 125;
const TURNS = process.env.SEATHOLD_SOAK === '1' ? 160 : 40;
/** The first 2,000 events warm everything up: compiled code and cache contents count once. */
const WARM = 16;
const MEASURED: ReadonlySet<number> = new Set([WARM, (WARM + TURNS) / 2, TURNS]);
const SEATS = 500;
/**
 * For the page's own objects, not counting garbage. In the long run, 9,000 events would leave more than this if each
 * left 100 bytes.
 */
const MOST_LEFT_MEGABYTES = 0.6;
/** The same, including compiled code and what is kept once. */
const MOST_GROWTH_MEGABYTES = 2;
const MOST_GROWTH_ELEMENTS = 200;

let world: DashboardWorld;
let ada: Person;
let license: string;

beforeAll(async () => {
  world = await DashboardWorld.start({
    SEATHOLD_HEARTBEAT_INTERVAL: '600',
    SEATHOLD_SESSION_TIMEOUT: '86400',
    SEATHOLD_RATE_LIMITS: 'off',
  });
  ada = await world.register();
  const created = await world.run(['operator', 'token', 'create', '--sandbox', '--name', 'test', '--json']);
  const operator = /svc_opt_\w{42}/.exec(created)?.[0] ?? '';
  const terms = { product: 'seathold-demo', max_seats: SEATS, expires_at: '2040-01-01T00:00:00Z' };
  const issued = { organization_id: ada.organizationId, ...terms };
  license = (await world.call('POST', '/v1/operator/licenses', operator, issued)).id;
  await plantMuch(world, ada, takenSeats(license, SEATS));
});
afterAll(() => world.close());

/** Announces that seats are acquired and released, each time as many events as a stream holds for a browser. */
async function announce(client: pg.Client, turn: number): Promise<void> {
  const ids = Array.from({ length: AT_ONCE }, () => newId('event')).sort();
  await client.query(
    `insert into events (organization_id, id, type, created, object)
     select $1, id, case when n % 2 = 0 then 'license.seat.acquired' else 'license.seat.released' end,
       clock_timestamp(), jsonb_build_object('id', $2::text, 'license_id', $2::text, 'slot', n)
     from unnest($3::text[]) with ordinality as announced (id, n)`,
    [ada.organizationId, license, ids],
  );
  // The seats on the map change too.
  await client.query(
    `update seat_slots set last_heartbeat = clock_timestamp(), metadata = jsonb_build_object('hostname', $3::text)
     where organization_id = $1 and license_id = $2 and slot % 10 = $4`,
    [ada.organizationId, license, `render-${turn}`, turn % 10],
  );
}

/** Opens a tab of the same browser, which receives its share of the events. */
async function show(page: Page, path: string): Promise<CDPSession> {
  await page.addInitScript(COUNT);
  await page.goto(world.baseUrl + path);
  await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  return devtools;
}

/** Counts the arriving events without keeping them. */
const COUNT = `
  window.seen = { count: 0, isOpen: false };
  const add = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (type, listener, options) {
    if (type === 'open') {
      add.call(this, type, () => { window.seen.isOpen = true; });
    }
    if (type.startsWith('license.seat.')) {
      add.call(this, type, () => { window.seen.count += 1; });
    }
    add.call(this, type, listener, options);
  };
`;

async function countReceived(pages: readonly Page[]): Promise<number> {
  const counts = await Promise.all(pages.map((page) => page.evaluate<number>('window.seen.count')));
  return counts.reduce((sum, each) => sum + each, 0);
}

async function measure(page: Page, devtools: CDPSession | undefined) {
  await devtools?.send('HeapProfiler.collectGarbage');
  await devtools?.send('HeapProfiler.collectGarbage');
  const { metrics = [] } = (await devtools?.send('Performance.getMetrics')) ?? {};
  const read = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  return {
    megabytes: read('JSHeapUsedSize') / 2 ** 20,
    nodes: read('Nodes'),
    listeners: read('JSEventListeners'),
    elements: await page.evaluate<number>('document.querySelectorAll("*").length'),
  };
}

it('the events, the seat map and the overview need no more memory after an hour', async () => {
  const first = await world.visit('/account', ada);
  const context = first.context();
  const pages = [first, await context.newPage(), await context.newPage()];
  const paths = ['/events', `/licenses/${license}`, '/'];
  const sessions: CDPSession[] = [];
  for (const [at, page] of pages.entries()) {
    sessions.push(await show(page, paths[at] ?? '/'));
  }
  await expect.poll(() => first.evaluate<boolean>('window.seen.isOpen')).toBe(true);
  const figures: Array<Awaited<ReturnType<typeof measure>>[]> = [];
  await withDatabase(world, async (client) => {
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await announce(client, turn);
      // One tab follows the stream and tells the others.
      await expect.poll(() => countReceived(pages), { interval: 50 }).toBe(turn * AT_ONCE);
      if (MEASURED.has(turn)) {
        // By now the screens have caught up: they refresh at most every three seconds.
        await sleep(4_000);
        figures.push(await Promise.all(pages.map((page, at) => measure(page, sessions[at]))));
      }
    }
  });
  for (const [at, path] of paths.entries()) {
    const [start, middle, end] = figures.map((each) => each[at]);
    expect((end?.megabytes ?? Number.NaN) - (middle?.megabytes ?? 0), path).toBeLessThan(MOST_LEFT_MEGABYTES);
    for (const later of [middle, end]) {
      expect((later?.megabytes ?? Number.NaN) - (start?.megabytes ?? 0), path).toBeLessThan(MOST_GROWTH_MEGABYTES);
      expect((later?.elements ?? Number.NaN) - (start?.elements ?? 0), path).toBeLessThan(MOST_GROWTH_ELEMENTS);
      expect((later?.nodes ?? Number.NaN) - (start?.nodes ?? 0), path).toBeLessThan(5 * MOST_GROWTH_ELEMENTS);
      expect((later?.listeners ?? Number.NaN) - (start?.listeners ?? 0), path).toBeLessThan(MOST_GROWTH_ELEMENTS);
    }
  }
  expect(world.complaints.splice(0)).toEqual([]);
});
