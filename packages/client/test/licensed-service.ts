import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { changeLicense, issueLicense } from '../../server/src/licensing/index.ts';
import { createSilentLicenseTools } from '../../server/test/harness/create-silent-license-tools.ts';
import { HttpsClient } from '../../server/test/torture/https-client.ts';
import { readAuthority, type ServerProcess, startServer } from '../../server/test/torture/server-process.ts';
import { signUp, World } from '../../server/test/torture/world.ts';

/** Seats that can be used online or offline, by users and by machines with the key. */
const TERMS = {
  product: 'studio',
  features: { ai_assistance: true },
  expiresAt: null,
  heartbeatIntervalSeconds: undefined,
  sessionTimeoutSeconds: undefined,
  tier: 'pro' as const,
  policy: { activation: 'key' as const, max_offline_seconds: 14 * 86_400 },
};

/** A service in its own process, with a license. */
export class LicensedService {
  readonly #world: World;
  readonly #settings: Record<string, string>;
  readonly #client: HttpsClient;
  readonly #license: { id: string; key: string };
  readonly #token: string;
  readonly organizationId: string;
  #server: ServerProcess;

  private constructor(parts: {
    world: World;
    settings: Record<string, string>;
    client: HttpsClient;
    license: { id: string; key: string };
    token: string;
    organizationId: string;
    server: ServerProcess;
  }) {
    this.#world = parts.world;
    this.#settings = parts.settings;
    this.#client = parts.client;
    this.#license = parts.license;
    this.#token = parts.token;
    this.organizationId = parts.organizationId;
    this.#server = parts.server;
  }

  static async start({ maxSeats = 1 } = {}): Promise<LicensedService> {
    const world = await World.start();
    const given = await world.settings('server');
    const settings = { ...given, SEATHOLD_BASE_URL: `https://localhost:${given.SEATHOLD_PORT}` };
    const server = await startServer(settings);
    const client = new HttpsClient([await readAuthority(server.dataDir)]);
    const { token, organizationId } = await signUp(client, server.baseUrl, 'ada');
    const tools = createSilentLicenseTools(world.database);
    const { license } = await issueLicense(tools, { ...TERMS, maxSeats, organizationId });
    return new LicensedService({ world, settings, client, license, token, organizationId, server });
  }

  /** Where tests may put files. */
  get folder(): string {
    return this.#world.folder;
  }

  /** The environment of a program on its own machine. */
  createEnvironment(): Record<string, string> {
    const hardwareId = `hw_${randomBytes(16).toString('hex')}`;
    return {
      NODE_EXTRA_CA_CERTS: join(this.#server.dataDir, 'tls', 'ca.pem'),
      SEATHOLD_URL: this.#settings.SEATHOLD_BASE_URL ?? '',
      SEATHOLD_TOKEN: this.#token,
      LICENSE_KEY: this.#license.key,
      HARDWARE_ID: hardwareId,
      SEAT_FILE: join(this.#world.folder, hardwareId, 'seat.json'),
    };
  }

  /** The environment of the operator's commands on the server. */
  operatorEnvironment(): Record<string, string> {
    return this.#settings;
  }

  /** Describes products by their keys, as a vendor does. */
  async declareProducts(keys: readonly string[]): Promise<void> {
    const text = `insert into products (key, name, features, source, created_at, updated_at)
      select key, key, '{}', 'declared', clock_timestamp(), clock_timestamp() from unnest($1::text[]) as given (key)
      on conflict (key) do update set source = 'declared'`;
    await this.#world.database.execute({ name: 'test_declare_products', text }, [keys]);
  }

  /** The licenses as an operator sees them. */
  async listLicenses(operatorToken: string): Promise<OperatorLicense[]> {
    const url = `${this.#server.baseUrl}/v1/operator/licenses?limit=100&organization_id=${this.organizationId}`;
    const answer = await this.#client.call('GET', url, { token: operatorToken });
    return answer.kind === 'answer' ? answer.body.data : [];
  }

  async kill(): Promise<void> {
    await this.#server.end('SIGKILL');
  }

  async restart(): Promise<void> {
    this.#server = await startServer(this.#settings);
  }

  /** A program elsewhere acquires a seat. Returns its session. */
  async takeSeat(): Promise<string> {
    const hardware_id = `hw_${randomBytes(16).toString('hex')}`;
    const answer = await this.#post('acquire', { license_key: this.#license.key, hardware_id });
    return answer.session_id;
  }

  async releaseSeat(sessionId: string): Promise<void> {
    await this.#post('release', { session_id: sessionId });
  }

  async changeLicense(kind: 'suspend' | 'reinstate'): Promise<void> {
    await changeLicense(createSilentLicenseTools(this.#world.database), this.#license.id, { kind });
  }

  /** Releases every seat. */
  async releaseAll(): Promise<void> {
    const url = `${this.#server.baseUrl}/v1/licenses/${this.#license.id}/sessions?status=active&limit=100`;
    const answer = await this.#client.call('GET', url, { token: this.#token });
    const sessions: Array<{ id: string }> = answer.kind === 'answer' ? answer.body.data : [];
    await Promise.all(sessions.map(({ id }) => this.releaseSeat(id)));
  }

  /** How many activated machines have this name. */
  async countActivations(name: string): Promise<number> {
    const url = `${this.#server.baseUrl}/v1/licenses/${this.#license.id}/activations?limit=100`;
    const answer = await this.#client.call('GET', url, { token: this.#token });
    return answer.kind === 'answer'
      ? answer.body.data.filter((each: { name: string }) => each.name === name).length
      : Number.NaN;
  }

  async #post(act: string, body: object): Promise<{ session_id: string }> {
    const url = `${this.#server.baseUrl}/v1/licenses/${act}`;
    const answer = await this.#client.call('POST', url, { token: this.#token }, body);
    if (answer.kind !== 'answer' || answer.status >= 300) {
      throw new Error(`${act} failed: ${JSON.stringify(answer)}`);
    }
    return answer.body.data;
  }

  async countSeats(): Promise<number> {
    const url = `${this.#server.baseUrl}/v1/licenses/${this.#license.id}`;
    const answer = await this.#client.call('GET', url, { token: this.#token });
    return answer.kind === 'answer' ? answer.body.data.active_seats : Number.NaN;
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#world.close();
  }
}

/** The fields of a license that the tests read. */
interface OperatorLicense {
  readonly key: string;
  readonly product: string;
}

/** A running program, and its output. */
export class Program {
  readonly ended: Promise<unknown[]>;
  readonly #child: ChildProcess;
  output = '';

  constructor(words: readonly string[], env: Readonly<Record<string, string>>, command = process.execPath) {
    this.#child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = once(this.#child, 'close');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
