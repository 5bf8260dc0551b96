import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import type { PaymentProvider } from '../../src/billing/index.ts';
import type { Clock, Pause } from '../../src/clock/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { Database, many, type Queries } from '../../src/database/index.ts';
import {
  createRequestLog,
  LeakedTokens,
  MemoryLimiter,
  parseRateLimits,
  type RateLimiter,
} from '../../src/http/index.ts';
import type { Job } from '../../src/jobs/index.ts';
import { issueLicense, type LicenseTerms } from '../../src/licensing/index.ts';
import { createLogger } from '../../src/log/index.ts';
import { type MailContent, Mailer } from '../../src/mail/index.ts';
import { parseNetworks } from '../../src/networks/index.ts';
import { MasterKey } from '../../src/security/index.ts';
import { parseWebhookSettings } from '../../src/webhooks/index.ts';
import { ApiClient, type Member } from './api-client.ts';
import { cloneDatabase, PATIENCE_MS } from './clone-database.ts';
import { createSilentLicenseTools } from './create-silent-license-tools.ts';
import { requireFittingEvents } from './require-fitting-events.ts';
import type { SecretWatch } from './secret-watch.ts';

export { type ApiAnswer, ApiClient, type Member } from './api-client.ts';

/** What a test file can change about its app. */
export interface TestOptions {
  environment?: 'production' | 'sandbox';
  settings?: Readonly<Record<string, string>>;
  /** The time for what uses the process's clock: one-time codes and rate limits. */
  clock?: Clock;
  /** Counts requests. By default in the app's own memory. */
  limiter?: RateLimiter;
  /** Waits between attempts to log in. By default nothing does. */
  pause?: Pause;
  /** Wraps the app's payment provider, to fail like networks and processes do. */
  aroundProvider?: (provider: PaymentProvider) => PaymentProvider;
  /** How long a request may take. By default as long as the tests wait for anything. */
  answeredWithinMs?: number;
  /** Aborts when the app's process is about to stop. */
  stopping?: AbortSignal;
  /** Constructs the app's database. By default a plain one. */
  openDatabase?: (...given: ConstructorParameters<typeof Database>) => Database;
  /** Another test app, whose database this app serves as a second process. */
  beside?: TestApp;
  /** The test writes events directly, under organizations that exist: they need not match the catalogue. */
  hasInventedEvents?: true;
}

/** An application with its own database, listening on loopback without TLS. TLS has its own tests. */
export interface TestApp {
  /** Answers its requests and runs its jobs. */
  service: App;
  database: Database;
  databaseUrl: string;
  masterKey: MasterKey;
  api: ApiClient;
  /** Everything that was logged, line by line. */
  logLines: readonly string[];
  /** The log lines of requests. In a service they are mixed with the others. */
  requestLines: readonly string[];
  /** Registers a person with their own organization. */
  register(name?: string): Promise<Member>;
  issueLicense(organizationId: string, terms?: Partial<LicenseTerms>): Promise<{ id: string; key: string }>;
  /** Moves an organization's clock forward. Seats, licenses and events follow it, tokens do not. */
  moveClock(organizationId: string, seconds: number): Promise<void>;
  /** The mails waiting to be sent to an address, oldest first. */
  mailsTo(recipient: string): Promise<Array<{ kind: string } & MailContent>>;
  /** Runs every background job until none finds anything left to do. Mails stay where `mailsTo` finds them. */
  runJobs(): Promise<void>;
  /** Runs one background job once, by name. Returns whether there is more to do immediately. */
  runJob(name: string): Promise<boolean>;
  /**
   * Waits until work that the jobs left in progress is done, like a stopping process. From now on the app sends no
   * webhooks.
   */
  finishJobs(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an app that the caller closes. */
export async function startTestApp(options: TestOptions = {}): Promise<TestApp> {
  const databaseUrl = options.beside?.databaseUrl ?? (await cloneDatabase());
  const dataDir = join(tmpdir(), `seathold-test-files-${randomBytes(6).toString('hex')}`);
  const settings = { ...CHEAP_SETTINGS, SEATHOLD_DATA_DIR: dataDir, ...options.settings };
  const { config, problems } = loadConfig(settings);
  const limits = parseRateLimits(settings.SEATHOLD_RATE_LIMITS, 1);
  const proxies = parseNetworks(options.settings?.SEATHOLD_TRUST_PROXY ?? '');
  if (config === undefined || !limits.ok || !proxies.ok) {
    throw new Error(`the test's settings are wrong: ${JSON.stringify(problems)}`);
  }
  const logLines: string[] = [];
  const requestLines: string[] = [];
  const log = createLogger('debug', { write: (line) => logLines.push(line) });
  const { openDatabase = (...given) => new Database(...given) } = options;
  const database = openDatabase(
    databaseUrl,
    { connections: 10, maxWaiting: 5_000, patienceMs: PATIENCE_MS },
    () => undefined,
  );
  const masterKey = options.beside?.masterKey ?? new MasterKey(randomBytes(32));
  const isSandbox = options.environment === 'sandbox';
  const app = await createApp({
    name: options.environment ?? 'production',
    baseUrl: 'https://api.test',
    authUrl: 'https://api.test/oauth',
    apiTokenPrefix: isSandbox ? 'svc_test_' : 'svc_live_',
    config,
    database,
    deliveryDatabase: database,
    masterKey,
    answeredWithinMs: options.answeredWithinMs ?? PATIENCE_MS,
    limiter: options.limiter ?? new MemoryLimiter(),
    limits: limits.limits,
    trustedProxies: proxies.networks,
    webhookSettings: parseWebhookSettings(settings),
    log,
    version: '0.0.0-test',
    leaks: new LeakedTokens(() => undefined),
    requestLog: createRequestLog(config.logRequests, log, {
      write: (line) => requestLines.push(line),
      takeDropped: () => 0,
      close: () => Promise.resolve(),
    }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.stopping === undefined ? {} : { stopping: options.stopping }),
    ...(options.aroundProvider === undefined ? {} : { aroundProvider: options.aroundProvider }),
    pause: options.pause ?? (() => Promise.resolve()),
  });
  // The service clock of a test never stands still. A test of outages sets it itself.
  await execute(database, `update service_clock set alive_at = 'infinity'`);
  // On a busy machine, the end of a kept connection would cross a new request, which would fail.
  const server = createServer({ keepAliveTimeout: PATIENCE_MS }, app.handle).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const api = new ApiClient(`http://127.0.0.1:${port}`, app.routes, options.beside?.api.secrets);
  return {
    service: app,
    database,
    databaseUrl,
    masterKey,
    api,
    logLines,
    requestLines,
    register: (name) => api.register(name),
    issueLicense: async (organizationId, terms) =>
      (await issueLicense(createSilentLicenseTools(database), { ...TERMS, ...terms, organizationId })).license,
    moveClock: async (organizationId, seconds) =>
      void (await execute(database, 'update organizations set clock_offset_ms = clock_offset_ms + $2 where id = $1', [
        organizationId,
        Math.round(seconds * 1000),
      ])),
    mailsTo: (recipient) => readMails(database, new Mailer(masterKey), api.secrets, recipient),
    runJobs: () => runJobs(app, database),
    runJob: async (name) => findJob(app, name).run(),
    finishJobs: async () => void (await Promise.all(app.jobs.map((job) => job.finish?.()))),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
      try {
        // No test file may leave a secret behind, or an event that does not match its schema.
        await api.secrets.requireNone(database, [...logLines, ...requestLines]);
        await (options.hasInventedEvents ? undefined : requireFittingEvents(database, app.events));
      } finally {
        await database.close();
      }
    },
  };
}

/** The same, but closed automatically when the running test is over. */
export async function startAppForTest(options: TestOptions = {}): Promise<TestApp> {
  const test = await startTestApp(options);
  onTestFinished(() => test.close());
  return test;
}

/** Runs a statement that the test brings. */
export async function execute<Row>(database: Queries, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const name = `test_${createHash('sha256').update(text).digest('base64url')}`;
  return many<Row>().from(database.execute({ name, text }, values));
}

async function readMails(database: Queries, mailer: Mailer, secrets: SecretWatch, recipient: string) {
  const rows = await execute<{ id: string; kind: string; content: Buffer }>(
    database,
    'select id, kind, content from outgoing_mails where recipient = $1 and content is not null order by id',
    [recipient],
  );
  const mails = rows.map(({ id, kind, content }) => ({ kind, ...mailer.decrypt(id, content) }));
  for (const { kind, code } of mails) {
    secrets.note(`the code of a mail ${kind}`, code ?? '');
  }
  return mails;
}

const CHEAP_SETTINGS = { SEATHOLD_ARGON2: 'm=1024,t=1,p=1', SEATHOLD_RATE_LIMITS: 'off' };

const TERMS = {
  product: 'studio',
  maxSeats: 3,
  features: { ai_assistance: true, cloud_workstations: false, team_collaboration: true, priority_support: false },
  expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  tier: 'pro' as const,
  heartbeatIntervalSeconds: undefined,
  sessionTimeoutSeconds: undefined,
};

function findJob(app: App, name: string): Job {
  const job = app.jobs.find((each) => each.name === name);
  if (job === undefined) {
    throw new Error(`there is no job ${name}`);
  }
  return job;
}

async function runJobs(app: App, database: Database): Promise<void> {
  for (let [before] = await execute<Progress>(database, READ_PROGRESS); ; ) {
    for (const job of app.jobs.filter((each) => !each.name.startsWith('mail.send-due-'))) {
      while (await job.run()) {
        // There is more to do immediately.
      }
    }
    const [after] = await execute<Progress>(database, READ_PROGRESS);
    if (after?.is_quiet && after.attempts === before?.attempts) {
      return;
    }
    before = after;
    await setTimeout(after?.is_quiet ? 0 : 10);
  }
}

interface Progress {
  is_quiet: boolean;
  attempts: number;
}

/**
 * Deliveries continue after the job that started them has ended. What a job gives back may be due immediately or, if a
 * replay planned it, a few milliseconds later. A replay continues when its deliveries are done, so the jobs run until
 * no attempt is made.
 */
const READ_PROGRESS = `select (select count(*)::int from webhook_attempts)
    + (select count(*)::int from webhook_deliveries where only_duration_ms is not null) as attempts,
  not exists (select from unsent_events where is_planned) and not exists (select from webhook_queue)
  and not exists (select from webhook_planned_attempts where claim_id is not null) and not exists (
    select from webhook_endpoint_states
    where turn_at <= clock_timestamp() + interval '100 milliseconds' and in_flight < in_flight_limit
  ) as is_quiet`;
