import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BILLING_EVENTS } from '../../src/billing/events.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres/index.ts';
import { Database } from '../../src/database/index.ts';
import { LICENSING_EVENTS } from '../../src/licensing/events.ts';
import { issueLicense, type LicenseTerms } from '../../src/licensing/index.ts';
import { ORGANIZATION_EVENTS } from '../../src/organizations/events.ts';
import { cloneDatabase, PATIENCE_MS } from '../harness/clone-database.ts';
import { createSilentLicenseTools } from '../harness/create-silent-license-tools.ts';
import { requireFittingEvents } from '../harness/require-fitting-events.ts';
import type { HttpsClient } from './https-client.ts';
import { endServers, newMasterKey, serverSettings } from './server-process.ts';

/** Two migrated databases, a folder, and the servers that use them. */
export class World {
  readonly folder: string;
  readonly #masterKey = newMasterKey();
  readonly #urls: Urls;
  #database: Database | undefined;
  #sandboxDatabase: Database | undefined;

  protected constructor(folder: string, urls: Urls) {
    this.folder = folder;
    this.#urls = urls;
  }

  static async start(): Promise<World> {
    const [production, sandbox] = [await cloneDatabase(), await cloneDatabase()];
    return new World(await makeFolder(), () => ({ production, sandbox }));
  }

  get productionUrl(): string {
    return this.#urls().production;
  }

  /** The test's own connection to the production database. */
  get database(): Database {
    this.#database ??= openDatabase(this.productionUrl);
    return this.#database;
  }

  get sandboxUrl(): string {
    return this.#urls().sandbox;
  }

  /** The same for the sandbox's database. */
  get sandboxDatabase(): Database {
    this.#sandboxDatabase ??= openDatabase(this.sandboxUrl);
    return this.#sandboxDatabase;
  }

  /** The settings of another server on these databases, with its own data folder and ports. */
  settings(name: string, own: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
    return serverSettings({
      DATABASE_URL: this.productionUrl,
      SANDBOX_DATABASE_URL: this.sandboxUrl,
      SEATHOLD_MASTER_KEY: this.#masterKey,
      SEATHOLD_DATA_DIR: join(this.folder, name),
      ...own,
    });
  }

  async close(): Promise<void> {
    await endServers();
    try {
      await requireFittingEvents(this.database, EVERY_EVENT);
      await requireFittingEvents(this.sandboxDatabase, EVERY_EVENT);
    } finally {
      await this.#database?.close();
      await this.#sandboxDatabase?.close();
      await this.release();
      await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  protected async release(): Promise<void> {}
}

type Urls = () => { production: string; sandbox: string };

function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'seathold-torture-'));
}

/** The same on its own PostgreSQL, which the test can kill and take away. */
export class FragileWorld extends World {
  #postgres: EmbeddedPostgres;

  private constructor(folder: string, postgres: EmbeddedPostgres) {
    super(folder, () => ({
      production: this.#postgres.urlOf(PRODUCTION),
      sandbox: this.#postgres.urlOf(SANDBOX),
    }));
    this.#postgres = postgres;
  }

  static override async start(): Promise<FragileWorld> {
    const folder = await makeFolder();
    return new FragileWorld(folder, await startPostgres(folder));
  }

  get postgresPid(): number {
    return this.#postgres.pid;
  }

  /** kill -9 of the postmaster, which is restarted automatically. */
  killPostgres(): void {
    process.kill(this.#postgres.pid, 'SIGKILL');
  }

  /** kill -9 as well, but nothing restarts it until `bringPostgresBack`. */
  async takePostgresAway(): Promise<void> {
    this.killPostgres();
    await this.#postgres.stop();
  }

  async bringPostgresBack(): Promise<void> {
    this.#postgres = await startPostgres(this.folder);
  }

  protected override release(): Promise<void> {
    return this.#postgres.stop();
  }
}

/** The events that servers in their own processes can announce. */
const EVERY_EVENT = [...ORGANIZATION_EVENTS, ...LICENSING_EVENTS, ...BILLING_EVENTS];

const PRODUCTION = 'torture_production';
const SANDBOX = 'torture_sandbox';

function openDatabase(url: string): Database {
  return new Database(url, { connections: 4, maxWaiting: 100, patienceMs: PATIENCE_MS }, () => undefined);
}

function startPostgres(folder: string): Promise<EmbeddedPostgres> {
  const databases = [PRODUCTION, SANDBOX];
  return startEmbeddedPostgres({ dataDir: join(folder, 'database'), databases, log: () => undefined });
}

/** A person who signed up, with their organization. */
export interface Person {
  userId: string;
  token: string;
  organizationId: string;
}

export async function signUp(client: HttpsClient, baseUrl: string, name: string): Promise<Person> {
  const email = `${name}-${process.pid}-${performance.now().toString(36).replace('.', '')}@example.com`;
  const body = { email, password: 'a long enough password', name };
  const registered = await client.call('POST', `${baseUrl}/v1/auth/register`, {}, body);
  const token = registered.kind === 'answer' ? registered.body.data?.access_token : undefined;
  const me = await client.call('GET', `${baseUrl}/v1/me`, { token });
  if (registered.kind !== 'answer' || me.kind !== 'answer' || me.status !== 200) {
    throw new Error(`nobody can sign up: ${JSON.stringify([me, registered])}`);
  }
  return { userId: registered.body.data.user.id, token, organizationId: me.body.data.organization.id };
}

type LicensePolicy = NonNullable<LicenseTerms['policy']>;

/** Issues licenses with these numbers of seats to an organization. */
export function issueLicenses(
  database: Database,
  organizationId: string,
  seats: readonly number[],
  policy: LicensePolicy = {},
): Promise<Array<{ id: string; key: string; seats: number }>> {
  return Promise.all(
    seats.map(async (maxSeats) => {
      const { license } = await issueLicense(createSilentLicenseTools(database), {
        organizationId,
        product: 'studio',
        maxSeats,
        features: { ai_assistance: true },
        expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
        heartbeatIntervalSeconds: undefined,
        sessionTimeoutSeconds: undefined,
        tier: 'pro',
        policy,
      });
      return { id: license.id, key: license.key, seats: maxSeats };
    }),
  );
}
