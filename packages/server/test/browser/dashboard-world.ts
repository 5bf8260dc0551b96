import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { HttpsClient } from '../torture/https-client.ts';
import { launchServer, readAuthority, type ServerProcess, startServer } from '../torture/server-process.ts';
import { startChromium } from './chromium.ts';
import { logInByForm, logInDirectly } from './log-in.ts';
import { countRequests } from './looks.ts';
import { worldSettings } from './world-settings.ts';

/** A person with an organization, as the API knows them. */
export interface Person {
  email: string;
  organizationId: string;
  accessToken: string;
}

/** The settings of a page. */
export interface View {
  width?: number;
  scheme?: 'light' | 'dark';
  locale?: string;
}

export const PASSWORD = 'an engine that weaves patterns';

/** Host names that exist nowhere else. */
const RESOLVED = ['--host-resolver-rules=MAP *.test 127.0.0.1'];

/** The real sandbox with its own data folder, and a Chromium in front of it. */
export class DashboardWorld {
  readonly baseUrl: string;
  readonly server: ServerProcess;
  /** What the browsers themselves complained about, above all violations of the Content-Security-Policy. */
  readonly complaints: string[] = [];
  readonly browser: Browser;
  readonly folder: string;
  readonly #apiUrl: string;
  readonly #client: HttpsClient;
  #people = 0;

  private constructor(
    server: ServerProcess,
    browser: Browser,
    place: { folder: string; baseUrl: string },
    authority: string,
  ) {
    this.server = server;
    this.browser = browser;
    this.folder = place.folder;
    this.baseUrl = place.baseUrl;
    this.#apiUrl = `https://localhost:${new URL(place.baseUrl).port}`;
    this.#client = new HttpsClient([authority]);
  }

  /**
   * @param host The service's name in browsers. A Chromium of these worlds resolves every name below seathold.test to
   * this machine.
   */
  static async start(more: Readonly<Record<string, string>> = {}, host = 'localhost'): Promise<DashboardWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-dashboard-'));
    const settings = await worldSettings({ SEATHOLD_DATA_DIR: folder, ...more });
    const baseUrl = `https://${host}:${settings.SEATHOLD_SANDBOX_PORT}`;
    const server = await startServer({ ...settings, SEATHOLD_SANDBOX_URL: baseUrl });
    return new DashboardWorld(server, await startChromium(RESOLVED), { folder, baseUrl }, await readAuthority(folder));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#client.close();
    await this.server.end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Calls the API. Throws the response unless it is a success. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
  async call(method: Parameters<HttpsClient['call']>[0], path: string, token?: string, body?: unknown): Promise<any> {
    const outcome = await this.#client.call(method, this.#apiUrl + path, { token }, body);
    if (outcome.kind !== 'answer' || outcome.status >= 300) {
      throw new Error(`${method} ${path}: ${JSON.stringify(outcome)}`);
    }
    return outcome.body?.data;
  }

  /** Runs `seathold …` alongside the service, and returns its output. */
  async run(words: readonly string[]): Promise<string> {
    const command = launchServer(this.server.settings, words);
    const { code } = await command.ended;
    if (code !== 0) {
      throw new Error(`seathold ${words.join(' ')} ended with ${code}: ${command.output}`);
    }
    return command.output;
  }

  async register(name = 'Ada <b>Lovelace</b>'): Promise<Person> {
    this.#people += 1;
    const email = `person-${this.#people}@example.com`;
    const body = { email, password: PASSWORD, name };
    const { access_token: accessToken } = await this.call('POST', '/v1/auth/register', undefined, body);
    const me = await this.call('GET', '/v1/me', accessToken);
    return { email, organizationId: me.organization.id, accessToken };
  }

  /** An empty page in its own browser profile. */
  async newPage({ width = 1280, scheme = 'light', locale = 'en' }: View = {}): Promise<Page> {
    const context = await this.browser.newContext({
      ignoreHTTPSErrors: true,
      viewport: { width, height: 800 },
      colorScheme: scheme,
      locale,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    countRequests(page);
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    return page;
  }

  /** A page at this path, where this person is already logged in. */
  async visit(path: string, { email }: Person, view: View = {}): Promise<Page> {
    const page = await this.newPage(view);
    const place = { client: this.#client, apiUrl: this.#apiUrl, baseUrl: this.baseUrl };
    await logInDirectly(page.context(), place, { email, password: PASSWORD });
    await page.goto(this.baseUrl + path);
    await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  /** The same, through the login form. */
  async visitByForm(path: string, { email }: Person): Promise<Page> {
    const page = await this.newPage();
    await page.goto(this.baseUrl + path);
    await logInByForm(page, { email, password: PASSWORD });
    await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
}
