import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Nudge } from '../../jobs/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Mailer } from '../../mail/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { DueNudges } from '../endpoint-state/lanes.ts';
import type { Sender } from '../sending/sender.ts';

/** The dependencies of delivering one environment's events. */
export interface DeliveryTools {
  /** A separate pool, so that requests never wait for connections of deliveries. */
  database: Queries;
  masterKey: MasterKey;
  mailer: Mailer;
  sender: Sender;
  clock: Clock;
  log: Logger;
  metrics: DeliveryMetrics;
  /** Seconds from the end of a failed attempt to the next, one per retry. */
  retryDelaysSeconds: readonly number[];
  /** How long a claim lasts, in milliseconds: longer than any attempt can take. */
  leaseMs: number;
  /** Sent as User-Agent. */
  userAgent: string;
  /** Rung when events may wait to be fanned out. */
  announced: Nudge;
  /** Rung when attempts may be due, one per lane. */
  due: DueNudges;
}

/** The metrics of deliveries. */
export interface DeliveryMetrics {
  /** An attempt ended: `succeeded`, or the class of its error. */
  countAttempt(outcome: string): void;
  /** The time from an event to the first attempt at delivering it, in seconds. */
  observeLag(seconds: number): void;
}
