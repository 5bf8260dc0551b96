import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../../tools/find-free-port.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../server/src/database/embedded-postgres/index.ts';
import { Database } from '../../../server/src/database/index.ts';
import { issueLicense } from '../../../server/src/licensing/index.ts';
import { createHttp1Client, type LoadClient } from '../../../server/test/ha/clients.ts';
import { requireInvariants } from '../../../server/test/ha/commands.ts';
import { signUp } from '../../../server/test/ha/mixed-load.ts';
import { createSilentLicenseTools } from '../../../server/test/harness/create-silent-license-tools.ts';
import {
  newMasterKey,
  type ServerProcess,
  serverSettings,
  startServer,
} from '../../../server/test/torture/server-process.ts';
import { Liar } from './liar.ts';
import { UnreliableNetwork } from './unreliable-network.ts';

export interface FleetTerms {
  readonly seats: number;
  readonly programs: number;
  readonly heartbeatSeconds: number;
  readonly timeoutSeconds: number;
}

/** A service and its PostgreSQL, a license, and the network that the programs reach them over. */
export class FleetService {
  readonly network: UnreliableNetwork;
  readonly licenseKey: string;
  readonly token: string;
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  readonly #client: LoadClient;
  readonly #liar: Liar;
  #postgres: EmbeddedPostgres;
  #server: ServerProcess;
  /** Errors that earlier processes of the service logged. */
  readonly #faults: string[] = [];

  private constructor(parts: {
    network: UnreliableNetwork;
    licenseKey: string;
    token: string;
    folder: string;
    settings: Record<string, string>;
    client: LoadClient;
    liar: Liar;
    postgres: EmbeddedPostgres;
    server: ServerProcess;
  }) {
    this.network = parts.network;
    this.licenseKey = parts.licenseKey;
    this.token = parts.token;
    this.#folder = parts.folder;
    this.#settings = parts.settings;
    this.#client = parts.client;
    this.#liar = parts.liar;
    this.#postgres = parts.postgres;
    this.#server = parts.server;
  }

  static async start(folder: string, terms: FleetTerms): Promise<FleetService> {
    const postgres = await startPostgres(folder);
    const network = await UnreliableNetwork.start();
    const port = await findFreePort();
    const settings = await serverSettings({
      DATABASE_URL: postgres.urlOf(DATABASE),
      SEATHOLD_MASTER_KEY: newMasterKey(),
      SEATHOLD_DATA_DIR: join(folder, 'server'),
      SEATHOLD_SANDBOX: 'off',
      SEATHOLD_PORT: String(port),
      SEATHOLD_BASE_URL: `https://localhost:${network.port}`,
      SEATHOLD_HEARTBEAT_INTERVAL: String(terms.heartbeatSeconds),
      SEATHOLD_SESSION_TIMEOUT: String(terms.timeoutSeconds),
    });
    const server = await startServer(settings);
    const [cert, key, ca] = await Promise.all(
      ['server.pem', 'server-key.pem', 'ca.pem'].map((name) => readFile(join(server.dataDir, 'tls', name), 'utf8')),
    );
    const liar = await Liar.start({ cert: cert ?? '', key: key ?? '', ca: ca ?? '', port });
    network.lead(port, liar.port);
    const client = createHttp1Client(`https://localhost:${port}`, ca ?? '', 10);
    const { token, organizationId } = await signUp(client);
    const licenseKey = await issue(postgres.urlOf(DATABASE), organizationId, terms);
    return new FleetService({ network, licenseKey, token, folder, settings, client, liar, postgres, server });
  }

  /** The URL that the programs use. */
  get url(): string {
    return `https://localhost:${this.network.port}`;
  }

  get authorityFile(): string {
    return join(this.#server.dataDir, 'tls', 'ca.pem');
  }

  /** Errors that the service logged. Each one is a defect by definition. */
  get faults(): readonly string[] {
    return [...this.#faults, ...this.#server.faults];
  }

  async kill(): Promise<void> {
    await this.#server.end('SIGKILL');
    this.#faults.push(...this.#server.faults);
  }

  async startAgain(): Promise<void> {
    this.#server = await startServer(this.#settings);
  }

  /** kill -9. PostgreSQL restarts by itself. */
  killPostgres(): void {
    process.kill(this.#postgres.pid, 'SIGKILL');
  }

  async takePostgresAway(): Promise<void> {
    this.killPostgres();
    await this.#postgres.stop();
  }

  async bringPostgresBack(): Promise<void> {
    this.#postgres = await startPostgres(this.#folder);
  }

  /** Whether a machine gets a seat now. */
  async takeSeat(hardwareId: string): Promise<boolean> {
    const body = { license_key: this.licenseKey, hardware_id: hardwareId };
    const path = '/v1/licenses/acquire';
    return (await this.#client.call({ method: 'POST', path, token: this.token, body })).status === 201;
  }

  /** Throws if the data is not consistent. */
  async checkInvariants(): Promise<number> {
    return requireInvariants(this.#settings);
  }

  async close(): Promise<void> {
    this.#client.close();
    this.network.close();
    this.#liar.close();
    await this.#server.end('SIGKILL');
    await this.#postgres.stop();
  }
}

const DATABASE = 'fleet_production';

function startPostgres(folder: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: join(folder, 'database'), databases: [DATABASE], log: () => undefined });
}

async function issue(url: string, organizationId: string, { seats, programs }: FleetTerms) {
  const database = new Database(url, { connections: 1, maxWaiting: 1 }, () => undefined);
  try {
    const { license } = await issueLicense(createSilentLicenseTools(database), {
      organizationId,
      product: 'studio',
      maxSeats: seats,
      features: {},
      expiresAt: null,
      heartbeatIntervalSeconds: undefined,
      sessionTimeoutSeconds: undefined,
      tier: 'pro',
      policy: { activation: 'key', max_activations: programs },
    });
    return license.key;
  } finally {
    await database.close();
  }
}
