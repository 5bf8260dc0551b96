import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AxeResults } from 'axe-core';
import type { Page, Request } from 'playwright-core';

/** How a screen is viewed. */
export interface Look {
  scheme: 'light' | 'dark';
  width: number;
}

export const WIDE: readonly Look[] = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
];
export const NARROW: readonly Look[] = [
  { scheme: 'dark', width: 320 },
  { scheme: 'light', width: 320 },
];

/** All looks that a screen has to pass in. */
const LOOKS: readonly Look[] = [...WIDE, ...NARROW];

/** The size of a 1280 by 800 px window at 200 % zoom. */
const ZOOMED = { width: 640, height: 400 };

/**
 * Checks a page with axe-core in each look, without reloading it, and at 200 % zoom too. Leaves it in the first look.
 */
export async function judgeLooks(page: Page, name: string, looks: readonly Look[] = LOOKS): Promise<string[]> {
  const found: string[] = [];
  for (const look of looks) {
    await show(page, look);
    await settle(page);
    found.push(...(await findFaults(page, `${name}-${look.scheme}-${look.width}`)));
  }
  await page.setViewportSize(ZOOMED);
  await settle(page);
  found.push(...(await findLost(page, `${name}, at 200 % zoom,`)));
  const [first] = looks;
  if (first !== undefined) {
    await show(page, first);
  }
  return found;
}

async function show(page: Page, { scheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 800 });
}

/**
 * What axe-core finds on a page, whether it or a table scrolls sideways, and what is cut off. Saves a screenshot if `SCREENSHOTS`
 * names a folder.
 */
export async function findFaults(page: Page, name: string): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    await page.evaluate(AXE);
  }
  const results = (await page.evaluate(RUN_AXE)) as Pick<AxeResults, 'violations'> & { passed: number };
  if (process.env.SCREENSHOTS !== undefined) {
    await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: true });
  }
  return [
    ...results.violations.map(({ id, nodes }) => `${name} ${id} ${nodes[0]?.html}`),
    ...(await findLost(page, name)),
    ...(results.passed < 10 ? [`${name} shows next to nothing`] : []),
  ];
}

/** Whether a page or a table scrolls sideways, and which of its text is cut off without a title that has all of it. */
export async function findLost(page: Page, name: string): Promise<string[]> {
  const scrolled = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
  const tables = (await page.evaluate(FIND_WIDE_TABLES)) as string[];
  const cut = (await page.evaluate(FIND_CUT)) as string[];
  return [
    ...(scrolled > 0 ? [`${name} is ${scrolled} px too wide`] : []),
    ...tables.map((table) => `${name} scrolls ${table} sideways`),
    ...cut.map((element) => `${name} cuts off ${element}`),
  ];
}

/** The tables in something that scrolls sideways. */
const FIND_WIDE_TABLES = `[...document.querySelectorAll('table')]
  .filter((table) => {
    for (let element = table.parentElement; element !== document.body; element = element.parentElement) {
      const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
      if (scrolls && element.scrollWidth > element.clientWidth) return true;
    }
    return false;
  })
  .map((table) => table.outerHTML.slice(0, 160))`;

/** Fields scroll by themselves, and elements clipped to nothing are only for screen readers. */
const FIND_CUT = `[...document.querySelectorAll('body *:not(input, textarea, select, svg *)')]
  .filter((element) => {
    const { clientWidth: width, clientHeight: height } = element;
    if (element.scrollWidth <= width + 1 && element.scrollHeight <= height + 3) return false;
    const { overflowX, overflowY, clipPath, visibility } = getComputedStyle(element);
    const isCut =
      (/hidden|clip/.test(overflowX) && element.scrollWidth > width + 1) ||
      (/hidden|clip/.test(overflowY) && element.scrollHeight > height + 3);
    return isCut && width > 1 && height > 1 && clipPath === 'none' && visibility === 'visible' &&
      element.innerText.trim() !== '' && element.closest('[title]') === null;
  })
  .map((element) => element.outerHTML.slice(0, 160))`;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** For passed rules the number is enough: their details are large. */
const RUN_AXE = `axe.run(document, { resultTypes: ['violations'] })
  .then(({ violations, passes }) => ({ violations, passed: passes.length }))`;

const underWay = new WeakMap<Page, Set<Request>>();

/** Counts the pending requests of a page, which `settle` waits for. */
export function countRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  // The stream of events is one response that never ends.
  page.on('request', (request) => request.url().endsWith('/v1/events/stream') || requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/**
 * Waits until a page shows everything it requested: no request is pending, no placeholder is left, and no color is
 * fading.
 */
export async function settle(page: Page): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let quiet = 0; quiet < 2; await sleep(40)) {
    if (performance.now() > deadline) {
      throw new Error(`the page asks for more and more: ${[...(underWay.get(page) ?? [])].map((each) => each.url())}`);
    }
    const isQuiet = (underWay.get(page)?.size ?? 0) === 0 && (await page.evaluate(COUNT_UNFINISHED)) === 0;
    quiet = isQuiet ? quiet + 1 : 0;
  }
}

/** Only ever ends a hang. */
const PATIENCE_MS = 600_000;

const COUNT_UNFINISHED = `document.querySelectorAll('.mantine-Skeleton-root, [aria-busy=true]').length +
  document.getAnimations().filter((each) => each.playState === 'running' && each.effect.getComputedTiming().endTime < Infinity).length`;
