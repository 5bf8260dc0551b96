import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/ids/index.ts';
import { DashboardWorld, type Person } from './dashboard-world.ts';
import { plantMuch, takenSeats, withDatabase } from './plant-much.ts';

// As many events as a busy organization has in an hour, through the real stream. Browsers stay open for days.

const EVENTS = 20_000;
const AT_ONCE = 250;
const SEATS = 500;
/** Of the page's own objects, garbage not counted. A leak of a hundred bytes for each event would be twice as much. */
const MOST_GROWTH_MEGABYTES = 1;
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

/** Announces seats that are taken and given back, as fast as the stream passes them on. */
async function announce(count: number): Promise<string> {
  let lastId = '';
  await withDatabase(world, async (client) => {
    for (let done = 0; done < count; done += AT_ONCE) {
      const ids = Array.from({ length: AT_ONCE }, () => newId('event')).sort();
      lastId = ids.at(-1) ?? lastId;
      await client.query(
        `insert into events (organization_id, id, type, created, object)
         select $1, id, case when n % 2 = 0 then 'license.seat.acquired' else 'license.seat.released' end,
           clock_timestamp(), jsonb_build_object('id', $2::text, 'license_id', $2::text, 'slot', n, 'note', repeat('x', 400))
         from unnest($3::text[]) with ordinality as announced (id, n)`,
        [ada.organizationId, license, ids],
      );
      // The seats of the map change too.
      await client.query(
        `update seat_slots set last_heartbeat = clock_timestamp(), metadata = metadata || jsonb_build_object('hostname', $3::text)
         where organization_id = $1 and license_id = $2 and slot % 10 = $4`,
        [ada.organizationId, license, `render-${done}`, (done / AT_ONCE) % 10],
      );
      await sleep(30);
    }
  });
  return lastId;
}

/** Counts what arrives, and remembers the last, without keeping the rest. */
const COUNT = `
  window.seen = { count: 0, last: '' };
  const add = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (type, listener, options) {
    if (type.startsWith('license.seat.')) {
      add.call(this, type, ({ lastEventId }) => { window.seen.count += 1; window.seen.last = lastEventId; });
    }
    add.call(this, type, listener, options);
  };
`;

async function measure(page: Page, devtools: CDPSession) {
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const read = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  return {
    megabytes: read('JSHeapUsedSize') / 2 ** 20,
    nodes: read('Nodes'),
    listeners: read('JSEventListeners'),
    elements: await page.evaluate<number>('document.querySelectorAll("*").length'),
  };
}

it.each(['the list of events', 'the seat map', 'the overview'])(
  'keeps %s in the same memory for an hour',
  async (screen) => {
    const path = { 'the list of events': '/events', 'the seat map': `/licenses/${license}`, 'the overview': '/' }[
      screen
    ];
    const page = await world.visit('/account', ada);
    await page.addInitScript(COUNT);
    await page.goto(world.baseUrl + path);
    await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const figures: Array<Awaited<ReturnType<typeof measure>>> = [];
    // The first tenth warms everything up: what is compiled and what caches hold counts once.
    for (const part of [0.1, 0.45, 0.45]) {
      const before = await page.evaluate<number>('window.seen.count');
      const last = await announce(EVENTS * part);
      await expect.poll(() => page.evaluate<string>('window.seen.last')).toBe(last);
      expect((await page.evaluate<number>('window.seen.count')) - before).toBe(EVENTS * part);
      // The screen has followed: it refreshes at most every three seconds.
      await sleep(4_000);
      figures.push(await measure(page, devtools));
    }
    console.info(screen, figures);
    const [start, middle, end] = figures;
    for (const later of [middle, end]) {
      expect((later?.megabytes ?? 0) - (start?.megabytes ?? 0)).toBeLessThan(MOST_GROWTH_MEGABYTES);
      expect((later?.elements ?? 0) - (start?.elements ?? 0)).toBeLessThan(MOST_GROWTH_ELEMENTS);
      expect((later?.nodes ?? 0) - (start?.nodes ?? 0)).toBeLessThan(5 * MOST_GROWTH_ELEMENTS);
    }
    expect(world.complaints.splice(0)).toEqual([]);
    await page.context().close();
  },
);
