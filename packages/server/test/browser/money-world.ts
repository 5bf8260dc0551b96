import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Agent, request } from 'undici';
import { expect } from 'vitest';
import { HttpsClient } from '../torture/https-client.ts';
import { readAuthority, type ServerProcess, startServer } from '../torture/server-process.ts';
import { startChromium } from './chromium.ts';
import { logInDirectly } from './log-in.ts';
import { countRequests } from './looks.ts';
import { worldSettings } from './world-settings.ts';

const PASSWORD = 'an engine that weaves patterns';

/** The test card whose bank asks for confirmation of each payment. */
export const AUTHENTICATED = 'pm_card_authenticationRequired';

/** How a browser shows the dashboard. */
interface View {
  width?: number;
  colorScheme?: 'light' | 'dark';
  locale?: string;
}

/** Someone who pays, with their own browser. */
export interface Payer {
  page: Page;
  token: string;
}

/** A service with a browser in front of it: its sandbox, or production if requested. */
export class MoneyWorld {
  readonly baseUrl: string;
  /** What the browsers complained about, above all violations of the Content-Security-Policy. */
  readonly complaints: string[] = [];
  readonly #server: ServerProcess;
  readonly #browser: Browser;
  readonly #client: HttpsClient;
  readonly #folder: string;
  readonly #contexts: BrowserContext[] = [];
  #people = 0;

  private constructor(parts: {
    baseUrl: string;
    server: ServerProcess;
    browser: Browser;
    client: HttpsClient;
    folder: string;
  }) {
    this.baseUrl = parts.baseUrl;
    this.#server = parts.server;
    this.#browser = parts.browser;
    this.#client = parts.client;
    this.#folder = parts.folder;
  }

  static async start(
    environment: 'production' | 'sandbox' = 'sandbox',
    more: Readonly<Record<string, string>> = {},
  ): Promise<MoneyWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-money-'));
    const settings = await worldSettings({ SEATHOLD_DATA_DIR: folder, ...more });
    const { SEATHOLD_PORT: port, SEATHOLD_SANDBOX_PORT: sandboxPort } = settings;
    const baseUrl = `https://localhost:${environment === 'production' ? port : sandboxPort}`;
    const address = environment === 'production' ? 'SEATHOLD_BASE_URL' : 'SEATHOLD_SANDBOX_URL';
    const server = await startServer({ ...settings, [address]: baseUrl });
    const browser = await startChromium();
    const client = new HttpsClient([await readAuthority(folder)]);
    return new MoneyWorld({ baseUrl, server, browser, client, folder });
  }

  /** Calls the API. Fails with the response unless it is a success. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
  async call(method: 'GET' | 'POST' | 'PATCH', path: string, token?: string, body?: unknown): Promise<any> {
    const outcome = await this.#client.call(method, this.baseUrl + path, { token }, body);
    return outcome.kind === 'answer' && outcome.status < 300
      ? outcome.body.data
      : expect.fail(`${method} ${path}: ${JSON.stringify(outcome)}`);
  }

  /** Only the status, for requests that may be refused. */
  async try(method: 'GET' | 'POST', path: string, token: string, body: unknown): Promise<number> {
    const outcome = await this.#client.call(method, this.baseUrl + path, { token }, body);
    return outcome.kind === 'answer' ? outcome.status : 0;
  }

  /** The plan of the default catalogue with this name. */
  async planId(name: string): Promise<string> {
    const plans: Array<{ id: string; name: string }> = await this.call('GET', '/v1/plans');
    return plans.find((plan) => plan.name === name)?.id ?? expect.fail(`no plan ${name}`);
  }

  /** Registers someone, and logs them in to the dashboard in their own browser. */
  async registerPayer(view: View = {}): Promise<Payer> {
    const { email, token } = await this.#register('Ada Lovelace');
    return { page: await this.#logIn(email, view), token };
  }

  async #register(name: string): Promise<{ email: string; token: string }> {
    this.#people += 1;
    const email = `payer-${this.#people}@example.com`;
    const person = { email, password: PASSWORD, name };
    const { access_token: token } = await this.call('POST', '/v1/auth/register', undefined, person);
    return { email, token };
  }

  /** Chooses the plan, the seats and the card on the purchase screen, and pays. */
  async order(page: Page, seats: string, card: string): Promise<void> {
    await page.goto(`${this.baseUrl}/subscriptions/new`);
    await page.getByRole('radio', { name: /^Pro/ }).check();
    await page.getByRole('spinbutton', { name: 'Seats' }).fill(seats);
    await page.getByLabel('Test card').selectOption(card);
    await page.getByRole('button', { name: 'Pay now' }).click();
  }

  /** Buys with the API, and goes to the purchased subscription. */
  async buyAndShow(page: Page, token: string, quantity: number, card = 'pm_card_visa'): Promise<string> {
    const order = { plan_id: await this.planId('Pro'), quantity, payment_method_id: card };
    const { id } = await this.call('POST', '/v1/subscriptions', token, order);
    await page.goto(`${this.baseUrl}/subscriptions/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Pro' }).waitFor();
    return id;
  }

  /** Posts to the service as another server would, with its headers. Returns the status. */
  async deliver(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
    const agent = new Agent({ connect: { rejectUnauthorized: false } });
    const url = this.baseUrl + path;
    const type = { 'content-type': 'application/json' };
    const answer = await request(url, { dispatcher: agent, method: 'POST', body, headers: { ...type, ...headers } });
    await answer.body.dump();
    await agent.close();
    return answer.statusCode;
  }

  /** Logs in someone who has this role in another person's organization, and acts there. */
  async logInMember(role: 'member' | 'billing'): Promise<Page> {
    const admin = await this.#register('Ada Lovelace');
    const guest = await this.#register('Grace Hopper');
    const { organization } = await this.call('GET', '/v1/me', admin.token);
    const invitation = { email: guest.email, role };
    await this.call('POST', `/v1/orgs/${organization.id}/invitations`, admin.token, invitation);
    await expect.poll(() => this.#findInvitation(guest.email)).not.toBe('');
    const token = await this.#findInvitation(guest.email);
    await this.call('POST', '/v1/invitations/accept', guest.token, { token });
    const page = await this.#logIn(guest.email, {});
    await page.getByRole('button', { name: /^Organization/ }).click();
    await page.getByRole('menuitem', { name: 'Ada Lovelace' }).click();
    await page.getByRole('button', { name: 'Organization: Ada Lovelace' }).waitFor();
    return page;
  }

  /**
   * The code of this address's invitation, or an empty text while there is none. Without an SMTP server, mails are
   * files.
   */
  async #findInvitation(email: string): Promise<string> {
    const names = await readdir(this.#folder, { recursive: true });
    const mails = await Promise.all(
      names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(this.#folder, name), 'utf8')),
    );
    const mail = mails.find((text) => text.includes(`To: ${email}`) && text.includes('invited')) ?? '';
    return /^svc_\w+/m.exec(mail)?.[0] ?? '';
  }

  async #logIn(email: string, { width = 1280, colorScheme = 'light', locale = 'en' }: View): Promise<Page> {
    const context = await this.#browser.newContext({
      ignoreHTTPSErrors: true,
      locale,
      colorScheme,
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    countRequests(page);
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    const place = { client: this.#client, apiUrl: this.baseUrl, baseUrl: this.baseUrl };
    await logInDirectly(context, place, { email, password: PASSWORD });
    await page.goto(`${this.baseUrl}/`);
    await page
      .getByRole('navigation')
      .or(page.getByRole('button', { name: /Menu|Menü/ }))
      .first()
      .waitFor();
    return page;
  }

  /** Chromium itself reports responses like 422. Discards these reports, and fails unless there was one. */
  expectRefusals(status: number): void {
    const refusals = this.complaints.filter((text) => text.includes(`status of ${status}`));
    expect(refusals).not.toEqual([]);
    this.complaints.splice(0, this.complaints.length, ...this.complaints.filter((text) => !refusals.includes(text)));
  }

  async closeBrowsers(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#client.close();
    await this.#server.end('SIGTERM');
    await rm(this.#folder, { recursive: true, force: true });
  }
}
