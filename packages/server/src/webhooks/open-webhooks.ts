import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { EventDefinition } from '../events/index.ts';
import type { Route } from '../http/index.ts';
import { type Job, Nudge } from '../jobs/index.ts';
import type { Logger } from '../log/index.ts';
import type { Mailer } from '../mail/index.ts';
import type { MasterKey } from '../security/index.ts';
import { type Backlog, countBacklog } from './delivering/backlog-queries.ts';
import type { Delivering } from './delivering/delivering.ts';
import type { DeliveryMetrics } from './delivering/delivery-metrics.ts';
import { deliveringJobs } from './delivering/jobs.ts';
import { eventRoutes } from './event-routes.ts';
import { openSender, type SenderOptions } from './sending/sender.ts';

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
  metrics: DeliveryMetrics;
  sending: SenderOptions;
  /** Seconds from the end of a failed attempt to the next, one for each retry. */
  retryDelaysSeconds: readonly number[];
  version: string;
}

/** The room, opened. */
export interface Webhooks {
  routes: Route[];
  jobs: Job[];
  /** How much waits, for metrics. */
  countBacklog(): Promise<Backlog>;
  close(): Promise<void>;
}

/** Opens the room for one environment. */
export function openWebhooks(deps: WebhooksDeps): Webhooks {
  const sender = openSender(deps.sending);
  const delivering: Delivering = {
    ...deps,
    database: deps.deliveryDatabase,
    sender,
    leaseMs: deps.sending.timeoutMs + LEASE_MARGIN_MS,
    userAgent: `Seathold/${deps.version}`,
    due: { swift: new Nudge(), cautious: new Nudge() },
  };
  return {
    routes: [...eventRoutes(deps.catalogue)],
    jobs: [...deliveringJobs(delivering)],
    countBacklog: () => countBacklog(deps.deliveryDatabase),
    close: () => sender.close(),
  };
}

/** For writing what came of an attempt that took all its time; contract §9 allows 15 s. */
const LEASE_MARGIN_MS = 10_000;
