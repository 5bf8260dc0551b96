import type { Clock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import type { Queries } from '../database/index.ts';
import type { EventDefinition, Reaction } from '../events/index.ts';
import type { Metrics, Route } from '../http/index.ts';
import type { Job, Nudge, TimeTraveler } from '../jobs/index.ts';
import type { Logger } from '../log/index.ts';
import type { Mailer } from '../mail/index.ts';
import type { MasterKey } from '../security/index.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import type { DeliveryTools } from './delivering/delivery-tools.ts';
import { createWorkNudges } from './delivering/find-work.ts';
import { deliveryJobs } from './delivering/jobs.ts';
import { createDueNudges } from './endpoint-state/lanes.ts';
import { endpointJobs } from './endpoints/jobs.ts';
import { ON_ORG_DELETED } from './endpoints/on-org-deleted.ts';
import { endpointRoutes } from './endpoints/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { holdingJobs } from './holding/jobs.ts';
import { measureDeliveries } from './measure-deliveries.ts';
import type { WebhookSettings } from './parse-webhook-settings.ts';
import { replayJobs } from './replays/jobs.ts';
import { replayRoutes } from './replays/routes.ts';
import { retentionJobs } from './retention/jobs.ts';
import { createSender, type SenderOptions } from './sending/sender.ts';
import { ThreadedSender } from './sending/threaded-sender.ts';
import { streamRoutes } from './stream/routes.ts';
import { createStreamTools } from './stream/stream-events.ts';
import { webhooksTraveler } from './time-traveler.ts';

/** The dependencies of this room. */
export interface WebhooksTools {
  /** The types of all rooms. */
  catalogue: readonly EventDefinition[];
  database: Queries;
  /** Aborts when the process is about to stop. */
  stopping: AbortSignal;
  /** A separate pool for deliveries, so that requests never wait for it. */
  deliveryDatabase: Queries;
  masterKey: MasterKey;
  mailer: Mailer;
  clock: Clock;
  log: Logger;
  /** Rung when events were announced. */
  announced: Nudge;
  metrics: Metrics;
  config: Pick<Config, 'webhookTimeoutSeconds' | 'webhookRetryDelaysSeconds' | 'egressProxy' | 'retentionDays'>;
  webhookSettings: Pick<WebhookSettings, 'allowNetworks' | 'extraCa'>;
  version: string;
  /** False in a process that leaves deliveries to other processes. */
  deliversHere: boolean;
  /** Whether attempts are sent from a thread of their own: in a process that answers requests, too. */
  sendsOnThread: boolean;
}

/** What this room provides to other rooms. */
export interface Webhooks {
  routes: Route[];
  jobs: Job[];
  reactions: readonly Reaction[];
  traveler: TimeTraveler;
  close(): Promise<void>;
}

/** Creates the room for one environment. */
export function createWebhooks(given: WebhooksTools): Webhooks {
  const { config, deliveryDatabase: database, clock } = given;
  const timeoutMs = config.webhookTimeoutSeconds * 1_000;
  const settings: SenderOptions = {
    ...given.webhookSettings,
    timeoutMs,
    egressProxy: config.egressProxy,
    onProxyRefusal: (refusal) =>
      given.log.warn(refusal, 'the egress proxy refuses connections: check its rules and password'),
  };
  const sender = given.sendsOnThread ? new ThreadedSender(settings) : createSender(settings);
  const tools: DeliveryTools = {
    ...given,
    database,
    sender,
    metrics: measureDeliveries(database, given.metrics, clock),
    retryDelaysSeconds: config.webhookRetryDelaysSeconds,
    leaseMs: timeoutMs + LEASE_MARGIN_MS,
    userAgent: `Seathold/${given.version}`,
    due: createDueNudges(),
  };
  const nudges = createWorkNudges();
  const work = deliveryJobs(tools, nudges);
  return {
    routes: [
      ...eventRoutes(given.catalogue),
      ...streamRoutes(createStreamTools(given), given.catalogue),
      ...endpointRoutes({ ...tools, catalogue: given.catalogue }),
      ...deliveryRoutes(given.catalogue, tools),
      ...replayRoutes(),
    ],
    jobs: [
      ...replayJobs(tools, nudges.replayed),
      ...work.jobs,
      ...holdingJobs(database, nudges.held),
      ...endpointJobs(database),
      ...retentionJobs(database, config.retentionDays),
    ],
    reactions: [ON_ORG_DELETED],
    traveler: webhooksTraveler(database, work, { timeoutMs, deliversHere: given.deliversHere }),
    close: () => sender.close(),
  };
}

/** Time to write the outcome of an attempt that took its whole timeout; contract §9 allows 15 s. */
const LEASE_MARGIN_MS = 10_000;
