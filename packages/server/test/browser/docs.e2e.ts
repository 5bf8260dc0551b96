import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthWorld } from './auth-world.ts';
import { startChromium } from './chromium.ts';
import { countRequests, settle } from './looks.ts';

let world: AuthWorld;
let browser: Browser;

beforeAll(async () => {
  [world, browser] = await Promise.all([AuthWorld.start(), startChromium()]);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

/** What the page requested and complained about, from its first byte on. */
interface Visit {
  page: Page;
  requests: string[];
  complaints: string[];
  failures: string[];
}

async function visit(width: number): Promise<Visit> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width, height: 800 } });
  const page = await context.newPage();
  countRequests(page);
  const seen: Visit = { page, requests: [], complaints: [], failures: [] };
  page.on('request', (request) => seen.requests.push(request.url()));
  page.on('requestfailed', (request) => seen.failures.push(request.url()));
  page.on('response', (response) => response.status() >= 400 && seen.failures.push(response.url()));
  page.on('console', (message) => message.type() === 'error' && seen.complaints.push(message.text()));
  page.on('pageerror', (error) => seen.complaints.push(error.message));
  await page.goto(`${world.baseUrl}/docs`);
  await page.getByRole('heading', { name: 'Seathold', exact: true }).waitFor();
  return seen;
}

/** Scrolls through the page and opens a request, because much of the page is rendered only then. */
async function use(page: Page): Promise<void> {
  await page.evaluate('window.scrollTo(0, 4000)');
  await settle(page);
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
  await settle(page);
  await page.evaluate('window.scrollTo(0, 0)');
}

async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== undefined) {
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/docs-${name}.png` });
  }
}

describe('the API reference at /docs', () => {
  it.each([360, 1280])("talks only to this server, and shows nothing of Scalar's cloud, at %d px", async (width) => {
    const { page, requests, complaints, failures } = await visit(width);
    await use(page);
    await shoot(page, String(width));
    const foreign = requests.filter((url) => !url.startsWith(`${world.baseUrl}/`) && !/^(?:data|blob):/.test(url));
    expect({ foreign, complaints, failures }).toEqual({ foreign: [], complaints: [], failures: [] });
    expect(requests.length).toBeGreaterThan(2);
    // The one remaining link is the credit to Scalar, which loads nothing until it is followed.
    const shown = await page.evaluate(
      `[...document.querySelectorAll('a, button, [role=button], [role=toolbar], header, nav')]
        .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && each.getClientRects().length > 0)
        .map((each) => (each.innerText || each.getAttribute('aria-label') || each.title || '') + ' ' + (each.href || ''))
        .filter((text) => /ask ai|developer tools|\\bshare\\b|\\bdeploy\\b|\\bmcp\\b|open api client/i.test(text))`,
    );
    expect(shown).toEqual([]);
    await page.context().close();
  });

  it('scrolls only vertically, however narrow it is, and has an icon', async () => {
    const { page } = await visit(320);
    await use(page);
    // At each width, different headings fill their last line.
    for (const width of [320, 328, 336, 344, 352, 360, 368, 376, 768]) {
      await page.setViewportSize({ width, height: 800 });
      // During a new layout, the page can be a pixel too wide.
      await expect
        .poll(() => page.evaluate('[innerWidth, document.documentElement.scrollWidth]'))
        .toEqual([width, width]);
    }
    const address = await page.evaluate('document.querySelector("link[rel~=icon]")?.href');
    expect(address).toBe(`${world.baseUrl}/docs/favicon.svg`);
    const answer = await page.request.get(String(address));
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
    await page.context().close();
  });
});
