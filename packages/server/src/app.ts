import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_SECTIONS } from './api-sections.ts';
import type { PaymentProvider } from './billing/index.ts';
import { type Clock, type Pause, rememberFor, systemClock } from './clock/index.ts';
import { addressesOf, type Config } from './config/index.ts';
import { type Database, findMissingMigration } from './database/index.ts';
import type { EventDefinition } from './events/index.ts';
import {
  clientErrorAnswerer,
  createDashboardMount,
  createHttpApp,
  createMountServer,
  createRequestRecords,
  type DashboardFacts,
  Deadlines,
  deleteExpiredIdempotencyKeys,
  describeApi,
  isForwardedInTheClear,
  type LeakedTokens,
  type LogRequest,
  Metrics,
  type OpenapiDocuments,
  OriginDirectory,
  openapiDocuments,
  type RateLimiter,
  type RateLimits,
  type RequestLog,
  type Route,
  refusePlainHttp,
  requestLogger,
  systemRoutes,
} from './http/index.ts';
import { type Job, JobWatch, sleepUntilDue } from './jobs/index.ts';
import type { Logger } from './log/index.ts';
import { createMail } from './mail/index.ts';
import { isInNetworks, type Network } from './networks/index.ts';
import { createRooms, type WebhookSettings } from './rooms.ts';
import type { MasterKey } from './security/index.ts';

/** One environment, production or sandbox, and everything that belongs to it alone. */
export interface AppOptions {
  name: 'production' | 'sandbox';
  baseUrl: string;
  /** The OAuth issuer. */
  authUrl: string;
  apiTokenPrefix: 'svc_live_' | 'svc_test_';
  config: Config;
  database: Database;
  /** Another pool on the same database, for deliveries. */
  deliveryDatabase: Database;
  masterKey: MasterKey;
  limiter: RateLimiter;
  limits: RateLimits;
  trustedProxies: readonly Network[];
  webhookSettings: Pick<WebhookSettings, 'allowNetworks' | 'extraCa'>;
  log: Logger;
  clock?: Clock;
  pause?: Pause;
  version: string;
  /** False in a process that leaves background work, including deliveries, to others. */
  deliversHere?: boolean;
  /** True in a process that both answers requests and delivers: deliveries are then sent from a separate thread. */
  sendsOnThread?: boolean;
  /** Asks the other processes of its group whether they are ready; undefined if the process serves alone. */
  whyGroupNotReady?: (() => Promise<string | undefined> | undefined) | undefined;
  readGroupMetrics?: (() => Promise<string> | undefined) | undefined;
  /** Wraps the payment provider; by default nothing does. */
  aroundProvider?: (provider: PaymentProvider) => PaymentProvider;
  /** How long a request may take before it gets a 503; tests wait longer because the machine may be busy. */
  answeredWithinMs?: number;
  /** Aborts when the process begins to shut down: it keeps serving, but is not ready for new clients. */
  draining?: AbortSignal;
  /** Aborts when the process is about to stop, which ends long work. */
  stopping?: AbortSignal;
  /** Shared by the environments of one process: a token may be sent to the wrong port. */
  leaks: LeakedTokens;
  /** Logs one line per request; by default, none. */
  requestLog?: RequestLog;
}

/** An application that does not listen yet, and its background work. */
export interface App {
  /** Takes a request from a listener, or from a test. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Takes a request that came unencrypted. */
  handlePlain(request: IncomingMessage, response: ServerResponse): void;
  answerClientError: ReturnType<typeof clientErrorAnswerer>;
  trustPlain(remoteAddress: string): boolean;
  routes: readonly Route[];
  events: readonly EventDefinition[];
  jobs: readonly Job[];
  /** The API as OpenAPI 3.1, built on each call. */
  describeApi(): Readonly<Record<string, unknown>>;
  /** Prepares the served documents, which takes a few hundred milliseconds: at startup, not in a request. */
  prepareDocuments(): Promise<void>;
  /** The job runner reports the state of the jobs here. */
  jobWatch: JobWatch;
  /** Throws or returns a reason when requests would fail. */
  whyNotReady(): Promise<string | undefined>;
  /** Of this environment only. */
  metrics: Pick<Metrics, 'read' | 'readOwn' | 'readCommon'>;
  close(): Promise<void>;
}

/** Builds one environment's application: the rooms, the routes, the documents. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, database, masterKey, log, limiter, limits, trustedProxies, clock = systemClock } = options;
  const mail = createMail({
    ...options,
    isSandbox: options.name === 'sandbox',
    // Mails are sent only after the rooms have been created.
    readAttachment: (reference) => rooms.attachInvoice(reference),
  });
  const metrics = createMetrics(options, mail.count);
  const jobWatch = watchJobs(metrics);
  const rooms = createRooms({
    ...options,
    clock,
    isSandbox: options.name === 'sandbox',
    licensing: { ...config, baseUrl: options.baseUrl },
    metrics,
    listLateJobs: () => jobWatch.listLate(),
    deliversHere: options.deliversHere ?? true,
    sendsOnThread: options.sendsOnThread ?? false,
    stopping: options.stopping ?? new AbortController().signal,
  });
  const { records, logRequest } = createRecords(options, clock);
  const routes = [...rooms.routes, ...records.routes];
  const { describedOauth, describedWebhooks } = rooms;
  const describe = () => describeApi(routes, describedOauth, describedWebhooks, { ...options, sections: API_SECTIONS });
  const openapi = openapiDocuments(describe);
  const system = createSystem(options, metrics, openapi);
  const deadlines = new Deadlines(options.answeredWithinMs);
  const gate = { tokens: rooms.tokens, limiter, limits, clock, trustedProxies, logRequest, deadlines };
  const origins = new OriginDirectory(config.allowedOrigins, rooms.appOrigins, clock);
  const deps = { ...gate, cookies: rooms.cookies, origins, log, database, masterKey, metrics };
  const fastify = createHttpApp(deps, [...routes, ...system.routes]);
  await fastify.ready();
  const serveOauth = createMountServer({ ...gate, log, metrics }, rooms.oauth);
  const serveDashboard = createMountServer({ ...gate, log, metrics }, createDashboardMount(dashboardFacts(options)));
  options.leaks.addEnvironment(rooms.tokens);
  const { requestLog, name: environment, leaks } = options;
  const unrouted = { ...gate, leaks, environment, requestLog };
  const refuse = (request: IncomingMessage, response: ServerResponse) =>
    void refusePlainHttp(unrouted, request, response);
  const trustPlain = (address: string) => isInNetworks(address, trustedProxies);
  return {
    handle: (request, response) => {
      if (isForwardedInTheClear(request, trustPlain)) {
        refuse(request, response);
      } else if (!serveOauth(request, response) && !serveDashboard(request, response)) {
        fastify.routing(request, response);
      }
    },
    handlePlain: refuse,
    answerClientError: clientErrorAnswerer(unrouted),
    trustPlain,
    routes,
    events: rooms.events,
    jobs: createJobs(options, [...rooms.jobs, ...mail.jobs, ...records.jobs]),
    describeApi: describe,
    prepareDocuments: async () => void (await openapi.forClients.in(undefined)),
    jobWatch,
    whyNotReady: system.whyNotReady,
    metrics,
    close: async () => {
      await fastify.close();
      await rooms.close();
      await records.close();
      mail.close();
      await limiter.close();
    },
  };
}

function dashboardFacts({ name, version, config }: AppOptions): DashboardFacts {
  return {
    environment: name,
    version,
    brand: config.brand,
    portalAncestors: config.portalAncestors,
    mailsToFolder: config.smtpServer === undefined,
    stripePublishableKey: name === 'production' ? (config.stripePublishableKey ?? null) : null,
    productionUrl: addressesOf(config, 'production').baseUrl,
    sandboxUrl: config.sandbox ? addressesOf(config, 'sandbox').baseUrl : null,
  };
}

const PORTION = 1_000;

/** The look for due work uses the connections of deliveries, so that a burst of requests does not delay it. */
function createJobs({ database, deliveryDatabase }: AppOptions, jobs: readonly Job[]): Job[] {
  return sleepUntilDue(deliveryDatabase, [...jobs, deleteExpiredKeys(database)]);
}

function deleteExpiredKeys(database: Database): Job {
  return {
    name: 'http.delete-expired-idempotency-keys',
    everyMs: 60_000,
    run: async () => (await deleteExpiredIdempotencyKeys(database, { limit: PORTION })) >= PORTION,
  };
}

/** Health, metrics and documents, for this environment's own port and for a worker's. */
function createSystem(options: AppOptions, metrics: Metrics, openapi: OpenapiDocuments) {
  const { config, database, clock = systemClock } = options;
  const findReason = rememberFor(1_000, clock, () => findMissingMigration(database));
  // Load balancers must stop immediately, so this is never cached.
  const whyNotReady = async () =>
    options.draining?.aborted === true ? 'the service is stopping' : (database.whyNotReady() ?? findReason());
  const routes = systemRoutes({
    whyNotReady: async () => (await whyNotReady()) ?? options.whyGroupNotReady?.(),
    metrics: async () => (await options.readGroupMetrics?.()) ?? (await metrics.read()) + (await readProcessMetrics()),
    metricsToken: config.metricsToken,
    host: config.host,
    openapi,
  });
  return { whyNotReady, routes };
}

/** The request records, and the function that writes each request there and to the log. */
function createRecords({ config, database, name, requestLog }: AppOptions, clock: Clock) {
  const { requestSample: sample, retentionRequestsDays: retentionDays } = config;
  const records = createRequestRecords({ database, clock, sample, retentionDays });
  const writeLine = requestLogger(requestLog, name, clock);
  const logRequest: LogRequest = (exchange, route) => {
    writeLine(exchange, route);
    records.note(exchange, route);
  };
  return { records, logRequest };
}

/**
 * What one environment reports about itself. Metrics matter most during an outage, so a failing one must not affect the
 * others.
 */
function createMetrics(options: AppOptions, countMails: ReturnType<typeof createMail>['count']): Metrics {
  const { name, database, clock = systemClock } = options;
  const metrics = new Metrics(name);
  metrics.ownGauge('seathold_database_connections', 'Open database connections.', () => database.poolState.total);
  metrics.ownGauge(
    'seathold_database_waiting',
    'Requests that wait for a database connection.',
    () => database.poolState.waiting,
  );
  metrics.gauges(
    {
      waiting: { name: 'seathold_mails_waiting', help: 'Mails to be sent, up to 10,000.' },
      given_up: { name: 'seathold_mails_given_up', help: 'Mails given up in 30 days, up to 10,000.' },
    },
    clock,
    countMails,
  );
  return metrics;
}

/** A job that fails or hangs is not noticed otherwise: seats are not announced, invoices not charged. */
function watchJobs(metrics: Metrics): JobWatch {
  const failures = metrics.labeledCounter('seathold_job_failures_total', 'Failed runs of background jobs.', 'job');
  const watch = new JobWatch((job) => failures.count(job));
  metrics.ownGauge(
    'seathold_jobs_late',
    'Background jobs of this process whose last successful run is more than half a minute overdue.',
    () => watch.listLate().length,
  );
  return watch;
}

/** The process's own metrics are the same for both environments. */
export const readProcessMetrics = () => processMetrics.metrics();

const processMetrics = Metrics.ofProcess();
