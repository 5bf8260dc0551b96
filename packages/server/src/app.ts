import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { PaymentProvider } from './billing/index.ts';
import { type Clock, type Pause, rememberFor, systemClock } from './clock/index.ts';
import type { Config } from './config/index.ts';
import { type Database, findMissingMigration } from './database/index.ts';
import type { EventDefinition } from './events/index.ts';
import {
  buildApp,
  clientErrorAnswerer,
  createMountServer,
  deleteExpiredKeys,
  describeApi,
  isForwardedInTheClear,
  isInNetworks,
  type LeakedTokens,
  Metrics,
  type Network,
  OriginDirectory,
  type RateLimiter,
  type RateLimits,
  type Route,
  refusePlainHttp,
  systemRoutes,
} from './http/index.ts';
import type { Job } from './jobs/index.ts';
import type { Logger } from './log/index.ts';
import { openMail } from './mail/index.ts';
import { openRooms, type WebhookSettings } from './rooms.ts';
import type { MasterKey } from './security/index.ts';

/** One environment, production or sandbox, and everything it has to itself. */
export interface AppOptions {
  name: 'production' | 'sandbox';
  baseUrl: string;
  /** Where OAuth lives: the issuer. */
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
  /** False in a process that leaves the background work, and so deliveries, to others. */
  deliversHere?: boolean;
  /** What is put between the service and its payment provider; by default nothing. */
  aroundProvider?: (provider: PaymentProvider) => PaymentProvider;
  /** Aborts when the process is about to stop: what would work on for long ends. */
  stopping?: AbortSignal;
  /** Shared by the environments of one process: a token may be sent to the wrong port. */
  leaks: LeakedTokens;
}

/** An application that is built but does not listen, and the work it does in the background. */
export interface App {
  /** Takes a request from a listener, or from a test. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Takes a request that came in the clear. */
  handlePlain(request: IncomingMessage, response: ServerResponse): void;
  answerClientError: ReturnType<typeof clientErrorAnswerer>;
  trustPlain(remoteAddress: string): boolean;
  routes: readonly Route[];
  events: readonly EventDefinition[];
  jobs: readonly Job[];
  /** The API as OpenAPI 3.1, made anew at each call. */
  describeApi(): Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Builds one environment's application: the rooms, the routes, the documents. */
export async function openApp(options: AppOptions): Promise<App> {
  const { config, database, masterKey, log, limiter, limits, trustedProxies, clock = systemClock } = options;
  const mail = openMail({ ...options, subjectPrefix: options.name === 'sandbox' ? '[sandbox] ' : '' });
  const metrics = openMetrics(options, rememberFor(5_000, clock, mail.count));
  const rooms = openRooms({
    ...options,
    clock,
    isSandbox: options.name === 'sandbox',
    licensing: { ...config, baseUrl: options.baseUrl },
    metrics,
    deliversHere: options.deliversHere ?? true,
    stopping: options.stopping ?? new AbortController().signal,
  });
  // Kept as the bytes that are served and nothing else: as an object and a text it would take several times as much.
  const describe = () => describeApi(rooms.routes, rooms.describedOauth, options.baseUrl, options.version);
  const system = systemRoutes({
    whyNotReady: rememberFor(1_000, clock, () => findMissingMigration(database)),
    metrics: async () => (await metrics.registry.metrics()) + (await processMetrics.metrics()),
    metricsToken: config.metricsToken,
    openapi: Buffer.from(JSON.stringify(describe())),
  });
  const gate = { tokens: rooms.tokens, limiter, limits, clock, trustedProxies };
  const origins = new OriginDirectory(config.allowedOrigins, rooms.appOrigins, clock);
  const fastify = buildApp({ ...gate, origins, log, database, masterKey, metrics }, [...rooms.routes, ...system]);
  await fastify.ready();
  const serveOauth = createMountServer({ ...gate, log, metrics }, rooms.oauth);
  options.leaks.addEnvironment((token) => rooms.tokens.revokeLeaked(token));
  const unrouted = { ...gate, revokeLeaked: (token: string) => options.leaks.revoke(token) };
  const refuse = (request: IncomingMessage, response: ServerResponse) =>
    void refusePlainHttp(unrouted, request, response);
  const trustPlain = (address: string) => isInNetworks(address, trustedProxies);
  return {
    handle: (request, response) => {
      if (isForwardedInTheClear(request, trustPlain)) {
        refuse(request, response);
      } else if (!serveOauth(request, response)) {
        fastify.routing(request, response);
      }
    },
    handlePlain: refuse,
    answerClientError: clientErrorAnswerer(unrouted),
    trustPlain,
    routes: rooms.routes,
    events: rooms.events,
    jobs: [
      ...rooms.jobs,
      ...mail.jobs,
      {
        name: 'http.delete-expired-idempotency-keys',
        everyMs: 60_000,
        run: async () => (await deleteExpiredKeys(database, PORTION)) >= PORTION,
      },
    ],
    describeApi: describe,
    close: async () => {
      await fastify.close();
      await rooms.close();
      mail.close();
      await limiter.close();
    },
  };
}

const PORTION = 1_000;

/** What one environment tells of itself. Metrics are wanted most while something is away, so none may fail the others. */
function openMetrics({ name, database }: AppOptions, countMails: ReturnType<typeof openMail>['count']): Metrics {
  const metrics = new Metrics(name);
  metrics.gauge('seathold_database_connections', 'Open database connections.', () => database.poolState.total);
  metrics.gauge(
    'seathold_database_waiting',
    'Requests that wait for a database connection.',
    () => database.poolState.waiting,
  );
  const unknown = { waiting: Number.NaN, given_up: Number.NaN };
  const mails = () => Promise.race([countMails(), setTimeout(1_000, unknown, { ref: false })]).catch(() => unknown);
  metrics.gauge('seathold_mails_waiting', 'Mails to be sent, up to 10,000.', async () => (await mails()).waiting);
  metrics.gauge(
    'seathold_mails_given_up',
    'Mails given up in 30 days, up to 10,000.',
    async () => (await mails()).given_up,
  );
  return metrics;
}

/** The process's own metrics are the same for both environments. */
const processMetrics = Metrics.ofProcess();
