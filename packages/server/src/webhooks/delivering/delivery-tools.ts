import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Nudge } from '../../jobs/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Mailer } from '../../mail/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { DueNudges } from '../endpoint-state/lanes.ts';
import type { Sender } from '../sending/sender.ts';

/** What the delivery of one environment's events works with. */
export interface DeliveryTools {
  /** A pool of its own: requests never wait for a connection that deliveries hold. */
  database: Queries;
  masterKey: MasterKey;
  mailer: Mailer;
  sender: Sender;
  clock: Clock;
  log: Logger;
  metrics: DeliveryMetrics;
  /** Seconds from the end of a failed attempt to the next, one for each retry. */
  retryDelaysSeconds: readonly number[];
  /** How long a claim lasts, in milliseconds: longer than any attempt can take. */
  leaseMs: number;
  /** Sent as User-Agent. */
  userAgent: string;
  /** Rung when events may wait to be fanned out. */
  announced: Nudge;
  /** Rung when attempts may be due, one for each lane. */
  due: DueNudges;
}

/** What delivery reports about itself. */
export interface DeliveryMetrics {
  /** An attempt ended: `succeeded`, or the class of its error. */
  countAttempt(outcome: string): void;
  /** The time from an event to the start of the first attempt at a delivery of it, in seconds. */
  observeLag(seconds: number): void;
}
