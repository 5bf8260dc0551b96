import type { Clock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import type { Queries } from '../database/index.ts';
import type { EventDefinition, Reaction } from '../events/index.ts';
import type { Metrics, Route } from '../http/index.ts';
import { type Job, Nudge, type TimeTraveler } from '../jobs/index.ts';
import type { Logger } from '../log/index.ts';
import type { Mailer } from '../mail/index.ts';
import type { MasterKey } from '../security/index.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import type { Delivering } from './delivering/delivering.ts';
import { deliveringJobs } from './delivering/jobs.ts';
import { endpointJobs } from './endpoints/jobs.ts';
import { ON_ORG_DELETED } from './endpoints/on-org-deleted.ts';
import { endpointRoutes } from './endpoints/routes.ts';
import { eventRoutes } from './event-routes.ts';
import { measureDeliveries } from './measure-deliveries.ts';
import type { WebhookSettings } from './read-webhook-settings.ts';
import { replayJobs } from './replays/jobs.ts';
import { replayRoutes } from './replays/routes.ts';
import { retentionJobs } from './retention/jobs.ts';
import { openSender } from './sending/sender.ts';
import { webhooksTraveler } from './time-traveler.ts';

/** What this room is opened with. */
export interface WebhooksDeps {
  /** The types of all rooms. */
  catalogue: readonly EventDefinition[];
  /** A pool of deliveries' own, so that requests never wait for it. */
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
  /** False in a process that leaves deliveries to others. */
  deliversHere: boolean;
}

/** The room, opened. */
export interface Webhooks {
  routes: Route[];
  jobs: Job[];
  reactions: readonly Reaction[];
  traveler: TimeTraveler;
  close(): Promise<void>;
}

/** Opens the room for one environment. */
export function openWebhooks(deps: WebhooksDeps): Webhooks {
  const { config, deliveryDatabase: database, clock } = deps;
  const timeoutMs = config.webhookTimeoutSeconds * 1_000;
  const sender = openSender({
    ...deps.webhookSettings,
    timeoutMs,
    egressProxy: config.egressProxy,
    onProxyRefusal: (refusal) =>
      deps.log.warn(refusal, 'the egress proxy refuses connections: see to its rules and password'),
  });
  const delivering: Delivering = {
    ...deps,
    database,
    sender,
    metrics: measureDeliveries(deps.metrics, database, clock),
    retryDelaysSeconds: config.webhookRetryDelaysSeconds,
    leaseMs: timeoutMs + LEASE_MARGIN_MS,
    userAgent: `Seathold/${deps.version}`,
    due: { swift: new Nudge(), cautious: new Nudge() },
  };
  const work = deliveringJobs(delivering);
  return {
    routes: [
      ...eventRoutes(deps.catalogue),
      ...endpointRoutes({ ...delivering, catalogue: deps.catalogue }),
      ...deliveryRoutes(deps.catalogue, delivering),
      ...replayRoutes(),
    ],
    jobs: [
      ...replayJobs(delivering),
      ...work.jobs,
      ...endpointJobs(database),
      ...retentionJobs(delivering, config.retentionDays),
    ],
    reactions: [ON_ORG_DELETED],
    traveler: webhooksTraveler(delivering, work, { timeoutMs, deliversHere: deps.deliversHere }),
    close: () => sender.close(),
  };
}

/** For writing what came of an attempt that took all its time; contract §9 allows 15 s. */
const LEASE_MARGIN_MS = 10_000;
