import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { startChromium } from '../packages/server/test/browser/chromium.ts';
import { FreshService } from './smoke/fresh-service.ts';

// A newcomer's stopwatch: `npm run stopwatch`. From nothing to the dashboard, the first paid seat and the first verified webhook,
// by the clicks and the commands that the screens show, with no file edited. `--clone` begins with `git clone` and `npm ci`.

const run = promisify(execFile);
const LIMIT_SECONDS = 60;
const { values } = parseArgs({ options: { clone: { type: 'boolean', default: false } } });

process.exitCode = await main();

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-stopwatch-'));
  const began = performance.now();
  const command = values.clone ? await step('git clone and npm ci', () => clone(folder)) : undefined;
  const service = await FreshService.start(folder, command === undefined ? {} : { command });
  const browser = await startChromium();
  try {
    await step('npm start names the dashboard', () => service.ready());
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en' });
    const page = await context.newPage();
    await step('registers in the dashboard of the sandbox', () => register(page, service.sandboxUrl));
    const token = await step('creates an API key', () => createKey(page));
    const acquire = await step('buys two seats with a test card', () => buySeats(page));
    await step('takes the first seat with the command that the license shows', () =>
      takeSeat(page, acquire, folder, token),
    );
    await step('receives the first webhook, and verifies its signature', () =>
      receive(service, acquire, folder, token),
    );
    const seconds = (performance.now() - began) / 1000;
    console.log(`\nFrom nothing to a verified webhook: ${seconds.toFixed(1)} s, no file edited.`);
    return seconds <= LIMIT_SECONDS ? 0 : 1;
  } catch (error) {
    console.error(error);
    return 1;
  } finally {
    await browser.close();
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function step<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await act();
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}`);
  return result;
}

async function clone(folder: string): Promise<string[]> {
  const target = join(folder, 'seathold');
  await run('git', ['clone', '--quiet', fileURLToPath(new URL('..', import.meta.url)), target]);
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: target });
  return [process.execPath, join(target, 'packages/cli/bin/seathold.js')];
}

async function register(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Email address').fill('grace@example.com');
  await page.locator('input[name=password]').fill('quill-harbor-42-lantern');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Quick start' }).waitFor();
}

async function createKey(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Create an API key' }).click();
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('First key');
  await dialog.getByLabel('admin:org').check();
  await dialog.getByLabel('read:org').check();
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  const token = (await page.getByTestId('secret').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).last().click();
  return token;
}

/** Returns the command that takes a seat, as the screen of the new license shows it. */
async function buySeats(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Get a license' }).click();
  await page.getByRole('radio', { name: /^Pro/ }).check();
  await page.getByRole('spinbutton', { name: 'Seats' }).fill('2');
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.getByRole('link', { name: 'Show license' }).click();
  return page.locator('pre', { hasText: 'licenses/acquire' }).innerText();
}

/** Pastes the command into a shell beside the service, and sees the seat appear in the browser without a reload. */
async function takeSeat(page: Page, command: string, folder: string, token: string): Promise<void> {
  await paste(command, folder, token);
  await page.getByText('1 of 2 in use').first().waitFor();
}

async function paste(command: string, folder: string, token: string): Promise<void> {
  const { stdout } = await run('sh', ['-c', command], { cwd: folder, env: { ...process.env, SEATHOLD_TOKEN: token } });
  if (!stdout.includes('"session_id"')) {
    throw new Error(`the command was answered ${stdout}`);
  }
}

/** Follows the events with the command of the empty screen of webhooks, into a server that checks each signature. */
async function receive(service: FreshService, acquire: string, folder: string, token: string): Promise<void> {
  let secret = '';
  let isVerified = false;
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    new Webhook(secret).verify(body, headers);
    isVerified = true;
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const words = ['webhooks', 'listen', '--sandbox', '--forward-to', `http://127.0.0.1:${port}`];
  const access = { SEATHOLD_TOKEN: token, SEATHOLD_SANDBOX_URL: service.sandboxUrl };
  let printed = '';
  const listening = service.spawn(words, access, (chunk) => {
    printed += chunk;
    secret = /whsec_[\w+/=]+/.exec(printed)?.[0] ?? secret;
  });
  try {
    for (let machine = 1; !isVerified; machine += 1) {
      if (listening.exitCode !== null || machine > 600) {
        throw new Error(`no webhook arrived; the command printed: ${printed}`);
      }
      await new Promise((done) => setTimeout(done, 100));
      // The second seat is taken once the command follows the events.
      if (secret !== '' && machine % 20 === 0) {
        await paste(acquire.replace(/hw_\w+/, `hw_${'b'.repeat(32)}`), folder, token);
      }
    }
  } finally {
    listening.kill();
    receiver.close();
    receiver.closeAllConnections();
  }
}
