import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import { HttpsClient } from '../torture/https-client.ts';
import { readAuthority, type ServerProcess, startServer } from '../torture/server-process.ts';
import { worldSettings } from './world-settings.ts';

/** A registered person, with what they would type into a browser. */
export interface Visitor {
  email: string;
  password: string;
  accessToken: string;
  /** Base32, once two-factor is on. */
  totpSecret: string | undefined;
}

/** An OAuth app as registered. */
export interface App {
  clientId: string;
  clientSecret: string | undefined;
}

/** The real service with its own data folder, and its API. */
export class AuthWorld {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly authority: string;
  readonly #server: ServerProcess;
  readonly #client: HttpsClient;
  readonly #folder: string;
  #visitors = 0;

  private constructor(server: ServerProcess, folder: string, baseUrl: string, authority: string) {
    this.#server = server;
    this.#folder = folder;
    this.#client = new HttpsClient([authority]);
    this.baseUrl = baseUrl;
    this.issuer = `${baseUrl}/oauth`;
    this.authority = authority;
  }

  static async start(): Promise<AuthWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-browser-'));
    const settings = await worldSettings({ SEATHOLD_DATA_DIR: folder });
    const baseUrl = `https://localhost:${settings.SEATHOLD_PORT}`;
    const server = await startServer({ ...settings, SEATHOLD_BASE_URL: baseUrl });
    return new AuthWorld(server, folder, baseUrl, await readAuthority(folder));
  }

  /** Calls the API. Throws the response unless it is a success. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
  async call(method: 'GET' | 'POST', path: string, token?: string, body?: unknown): Promise<any> {
    const outcome = await this.#client.call(method, this.baseUrl + path, { token }, body);
    if (outcome.kind !== 'answer' || outcome.status >= 300) {
      throw new Error(`${method} ${path}: ${JSON.stringify(outcome)}`);
    }
    return outcome.body.data;
  }

  /** Only the status, for requests that may be refused. */
  async statusOf(path: string, token: string): Promise<number> {
    const outcome = await this.#client.call('GET', this.baseUrl + path, { token });
    return outcome.kind === 'answer' ? outcome.status : 0;
  }

  async register(name: string, address?: string): Promise<Visitor> {
    this.#visitors += 1;
    const email = address ?? `visitor-${this.#visitors}@example.com`;
    const password = 'an engine that weaves patterns';
    const { access_token } = await this.call('POST', '/v1/auth/register', undefined, { email, password, name });
    return { email, password, accessToken: access_token, totpSecret: undefined };
  }

  /** The same, with two-factor enabled. This spends the code of the current time step. */
  async registerWithTwoFactor(name: string): Promise<Visitor> {
    const visitor = await this.register(name);
    const { secret } = await this.call('POST', '/v1/auth/2fa/setup', visitor.accessToken, {});
    await this.call('POST', '/v1/auth/2fa/enable', visitor.accessToken, { code: codeOf(secret, 0) });
    return { ...visitor, totpSecret: secret };
  }

  async registerApp(visitor: Visitor, redirectUri: string, confidential: boolean, name = 'Console'): Promise<App> {
    const app = await this.call('POST', '/v1/oauth-apps', visitor.accessToken, {
      name,
      redirect_uris: [redirectUri],
      scopes: ['read:profile', 'read:org', 'read:licenses'],
      confidential,
    });
    return { clientId: app.client_id, clientSecret: app.client_secret ?? undefined };
  }

  /** An app for programs without a browser. */
  async registerDeviceApp(visitor: Visitor, name: string): Promise<App> {
    const app = await this.call('POST', '/v1/oauth-apps', visitor.accessToken, {
      name,
      redirect_uris: [],
      scopes: ['read:profile', 'read:org', 'read:licenses'],
      confidential: false,
      device_flow: true,
    });
    return { clientId: app.client_id, clientSecret: undefined };
  }

  /** The link that a new installation prints on its first start. */
  get firstOwnerLink(): string {
    return /https:\/\/\S+\/staff-setup\?token=\w+/.exec(this.#server.output)?.[0] ?? '';
  }

  /** What the service logged as its own errors. */
  get faults(): readonly string[] {
    return this.#server.faults;
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#server.end('SIGTERM');
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The code of the time step this many steps ahead. */
export function codeOf(secret: string, stepsAhead: number): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 });
}
