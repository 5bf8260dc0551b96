import { setTimeout } from 'node:timers/promises';
import { type Clock, rememberFor } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { Metrics } from '../http/index.ts';
import { countBacklog } from './delivering/backlog-queries.ts';
import type { DeliveryMetrics } from './delivering/delivery-tools.ts';

/** The metrics of deliveries: waiting ones in the database, for all processes, and the counts of this process. */
export function measureDeliveries(database: Queries, metrics: Metrics, clock: Clock): DeliveryMetrics {
  gaugeBacklog(
    metrics,
    rememberFor(5_000, clock, () => countBacklog(database)),
  );
  const attempts = metrics.labeledCounter(
    'seathold_webhook_attempts_total',
    'Attempts to deliver an event, by outcome.',
    'outcome',
  );
  const lag = metrics.histogram(
    'seathold_webhook_lag_seconds',
    'Time from an event to the start of the first attempt to deliver it, in seconds.',
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
  );
  return {
    countAttempt: (outcome) => attempts.count(outcome),
    observeLag: (seconds) => lag.observe(seconds),
  };
}

/** Metrics matter most during an outage, so none may delay the others. */
function gaugeBacklog(metrics: Metrics, count: () => ReturnType<typeof countBacklog>): void {
  const unknown = { unsent_events: Number.NaN, planned_attempts: Number.NaN, oldest_due_seconds: Number.NaN };
  const backlog = () => Promise.race([count(), setTimeout(1_000, unknown, { ref: false })]).catch(() => unknown);
  metrics.gauge(
    'seathold_webhook_events_waiting',
    'Events not fanned out to endpoints yet, up to 10,000.',
    async () => (await backlog()).unsent_events,
  );
  metrics.gauge(
    'seathold_webhook_attempts_planned',
    'Attempts planned or in flight, up to 10,000.',
    async () => (await backlog()).planned_attempts,
  );
  metrics.gauge(
    'seathold_webhook_oldest_due_seconds',
    'How long the attempt that could begin has been due, in seconds.',
    async () => (await backlog()).oldest_due_seconds,
  );
}
