import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildClient } from '../../../../tools/client-package/build-client.ts';
import { HttpsClient } from '../torture/https-client.ts';
import { readAuthority, type ServerProcess, startServer } from '../torture/server-process.ts';
import { startChromium } from './chromium.ts';
import { worldSettings } from './world-settings.ts';

let folder: string;
let pages: Server;
let pagesUrl: string;
let server: ServerProcess;
let sandboxUrl: string;
let client: HttpsClient;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seathold-seat-page-'));
  buildClient(join(folder, 'client'));
  pages = servePages(join(folder, 'client')).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const own = { SEATHOLD_DATA_DIR: join(folder, 'data'), SEATHOLD_ALLOWED_ORIGINS: pagesUrl };
  const settings = await worldSettings(own);
  sandboxUrl = `https://localhost:${settings.SEATHOLD_SANDBOX_PORT}`;
  server = await startServer({ ...settings, SEATHOLD_SANDBOX_URL: sandboxUrl });
  client = new HttpsClient([await readAuthority(server.dataDir)]);
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  await client.close();
  await server.end('SIGTERM');
  pages.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

it('a page keeps a seat through an outage, and releases it when it is closed', async () => {
  const { token, licenseKey, licenseId } = await buySeat();
  const countSeats = async () => (await call('GET', `/v1/licenses/${licenseId}`, token)).active_seats;
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(pagesUrl);
  const hardwareId = `hw_${randomBytes(16).toString('hex')}`;
  await page.evaluate(
    `import('/esm/seats/index.js').then(async ({ Seat }) => {
      window.told = [];
      const onEvent = ({ type, reason }) => window.told.push(type + ' ' + reason);
      window.seat = await Seat.acquire({ ...${JSON.stringify({ baseUrl: sandboxUrl, token, licenseKey, hardwareId })}, onEvent });
    })`,
  );
  const told = () => page.evaluate('window.told');
  expect([await page.evaluate('window.seat.state'), await told()]).toEqual(['held', ['granted acquired']]);
  expect(await countSeats()).toBe(1);

  await context.setOffline(true);
  await expect.poll(told).toEqual(['granted acquired', 'offline connection_failed']);
  await context.setOffline(false);
  await expect.poll(told).toEqual(['granted acquired', 'offline connection_failed', 'granted online']);

  await page.goto('about:blank');
  await expect.poll(countSeats).toBe(0);
  await context.close();
});

/** Someone who bought one seat. */
async function buySeat() {
  const person = { email: 'ada@example.com', password: 'an engine that weaves patterns', name: 'Ada' };
  const { access_token: token } = await call('POST', '/v1/auth/register', undefined, person);
  const plans = await call('GET', '/v1/plans', token);
  const plan = plans.find(({ name }: { name: string }) => name === 'Pro');
  const order = { plan_id: plan.id, quantity: 1, payment_method_id: 'pm_card_visa' };
  await call('POST', '/v1/subscriptions', token, order);
  const [license] = await call('GET', '/v1/licenses', token);
  return { token: String(token), licenseKey: String(license.key), licenseId: String(license.id) };
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
async function call(method: 'GET' | 'POST', path: string, token?: string, body?: unknown): Promise<any> {
  const outcome = await client.call(method, sandboxUrl + path, { token }, body);
  if (outcome.kind !== 'answer' || outcome.status >= 300) {
    throw new Error(`${method} ${path}: ${JSON.stringify(outcome)}`);
  }
  return outcome.body.data;
}

/** The built client, and an empty page. */
function servePages(root: string): Server {
  return createServer(async ({ url = '/' }, response) => {
    if (url === '/') {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>A program</title>');
    } else {
      const text = await readFile(join(root, url.replaceAll('..', '')), 'utf8').catch(() => undefined);
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/javascript' }).end(text);
    }
  });
}
