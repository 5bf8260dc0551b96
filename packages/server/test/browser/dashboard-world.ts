import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { HttpsClient } from '../torture/https-client.ts';
import {
  launchServer,
  readAuthority,
  type ServerProcess,
  serverSettings,
  startServer,
} from '../torture/server-process.ts';
import { startChromium } from './chromium.ts';

/** A person with an organization, as the API knows them. */
export interface Person {
  email: string;
  organizationId: string;
  accessToken: string;
}

/** How a page is looked at. */
export interface Look {
  width?: number;
  scheme?: 'light' | 'dark';
  locale?: string;
}

export const PASSWORD = 'an engine that weaves patterns';

/** Names that exist nowhere else. */
const RESOLVED = ['--host-resolver-rules=MAP *.test 127.0.0.1'];

/** Each look that a screen has to pass in. */
export const LOOKS = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 320 },
  { scheme: 'dark', width: 320 },
] as const;

/** The real sandbox on a folder of its own, and a Chromium in front of it. */
export class DashboardWorld {
  readonly baseUrl: string;
  readonly server: ServerProcess;
  /** What browsers themselves complained of: a breach of the Content-Security-Policy above all. */
  readonly complaints: string[] = [];
  readonly browser: Browser;
  readonly folder: string;
  readonly #apiUrl: string;
  readonly #client: HttpsClient;
  readonly #axe: string;
  #people = 0;

  private constructor(
    server: ServerProcess,
    browser: Browser,
    place: { folder: string; baseUrl: string },
    axe: string,
    authority: string,
  ) {
    this.server = server;
    this.browser = browser;
    this.folder = place.folder;
    this.baseUrl = place.baseUrl;
    this.#apiUrl = `https://localhost:${new URL(place.baseUrl).port}`;
    this.#axe = axe;
    this.#client = new HttpsClient([authority]);
  }

  /** @param host by which browsers know it; a Chromium of these worlds finds every name below seathold.test here. */
  static async start(more: Readonly<Record<string, string>> = {}, host = 'localhost'): Promise<DashboardWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-dashboard-'));
    const settings = await serverSettings({ SEATHOLD_DATA_DIR: folder, ...more });
    const baseUrl = `https://${host}:${settings.SEATHOLD_SANDBOX_PORT}`;
    const server = await startServer({ ...settings, SEATHOLD_SANDBOX_URL: baseUrl });
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    return new DashboardWorld(
      server,
      await startChromium(RESOLVED),
      { folder, baseUrl },
      axe,
      await readAuthority(folder),
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#client.close();
    await this.server.end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Calls the API; throws what was answered when it is no success. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there.
  async call(method: Parameters<HttpsClient['call']>[0], path: string, token?: string, body?: unknown): Promise<any> {
    const outcome = await this.#client.call(method, this.#apiUrl + path, { token }, body);
    if (outcome.kind !== 'answer' || outcome.status >= 300) {
      throw new Error(`${method} ${path}: ${JSON.stringify(outcome)}`);
    }
    return outcome.body?.data;
  }

  /** Runs `seathold …` beside the service, and returns what it printed. */
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

  /** An empty page in a browser profile of its own. */
  async newPage({ width = 1280, scheme = 'light', locale = 'en' }: Look = {}): Promise<Page> {
    const context = await this.browser.newContext({
      ignoreHTTPSErrors: true,
      viewport: { width, height: 800 },
      colorScheme: scheme,
      locale,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    return page;
  }

  /** A page at this path, as this person. */
  async visit(path: string, person: Person, look: Look = {}): Promise<Page> {
    const page = await this.newPage(look);
    await page.goto(this.baseUrl + path);
    await page.locator('input[name=email]').fill(person.email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('main#content').getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  /** What axe finds on a page, and whether it scrolls sideways. Keeps a picture where `SCREENSHOTS` names a folder. */
  async judge(page: Page, name: string): Promise<string[]> {
    const { violations } = (await page.evaluate(
      `${this.#axe}; axe.run(document, { resultTypes: ['violations'] })`,
    )) as AxeResults;
    const scrolled = (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;
    if (process.env.SCREENSHOTS !== undefined) {
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) });
    }
    return [
      ...violations.map(({ id, nodes }) => `${name} ${id} ${nodes[0]?.html}`),
      ...(scrolled > 0 ? [`${name} is ${scrolled} px too wide`] : []),
    ];
  }
}
