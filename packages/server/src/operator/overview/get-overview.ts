import { countSubscriptionChanges, parseExportRange, type SubscriptionsInForce } from '../../billing/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { countRefusals, countSeatsInUse } from '../../licensing/index.ts';
import { countMails } from '../../mail/index.ts';
import { countEndedDeliveries } from '../../webhooks/index.ts';
import { COUNT_HOURS_JOB, HOUR_MS } from './count-hours.ts';
import { findClosedHours, findDatabaseTime, findLateJobs, findOpenHour } from './queries.ts';
import type { Overview, OverviewQuery } from './schemas.ts';
import type { SoldNow } from './sold-now.ts';

interface Window {
  fromMs: number;
  untilMs: number;
  nowMs: number;
}

/**
 * The sales and usage of the whole installation: now, and in a range of whole hours. Throws invalid_request for an
 * invalid time, and validation_failed for a range that is empty, too long, or in the future.
 */
export async function getOverview(database: Queries, soldNow: SoldNow, query: OverviewQuery): Promise<Overview> {
  const { now_ms: nowMs } = await findDatabaseTime(database);
  const window = parseWindow(query, nowMs);
  const { fromMs: from, untilMs: until } = window;
  const changes = await countSubscriptionChanges(database, { from, until });
  const { refusals, succeeded, failed, ...seats } = await countUse(database, window);
  const { seats: sold, subscriptions } = await soldNow.count(database, nowMs);
  const lateJobs = await listLateJobs(database, nowMs);
  return {
    from: isoTime(from),
    to: isoTime(until),
    ...summarize(subscriptions),
    new: changes.begun,
    churned: changes.ended,
    seats: { sold, ...seats },
    refusals,
    deliveries: { succeeded, failed },
    mails_waiting: Number((await countMails(database)).waiting),
    jobs_late: lateJobs.length,
    late_jobs: lateJobs,
  };
}

function parseWindow({ from, to }: OverviewQuery, nowMs: number): Window {
  const toText = to ?? isoTime(nowMs);
  const { untilMs: toMs } = parseExportRange({ to: toText });
  const { fromMs } = parseExportRange({ from: from ?? isoTime(toMs - DEFAULT_DAYS * DAY_MS), to: toText });
  if (fromMs >= nowMs) {
    throw outside('max', 'from must be in the past.');
  }
  if (toMs - fromMs > LONGEST_DAYS * DAY_MS) {
    throw outside('min', `from can be at most ${LONGEST_DAYS} days before to.`);
  }
  const hourOfNowEndMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  return {
    fromMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS,
    untilMs: Math.min(Math.ceil(toMs / HOUR_MS) * HOUR_MS, hourOfNowEndMs),
    nowMs,
  };
}

function outside(reason: 'min' | 'max', message: string) {
  return httpError('validation_failed', message, { details: { field: 'from', reason } });
}

/** Closed hours are read as counted; hours not closed yet, at most one or two, are counted now. */
async function countUse(database: Queries, { fromMs, untilMs, nowMs }: Window) {
  const hour = await findOpenHour(database);
  const openMs = hour?.hour_ms ?? Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const closed = await findClosedHours(database, { from: fromMs, until: Math.min(untilMs, openMs) });
  const { used, peak } = await countSeatsInUse(database, { from: hour?.seats_counted_until_ms ?? openMs, until: null });
  if (untilMs <= openMs) {
    return { used, peak: closed.seat_peak, ...withoutPeak(closed) };
  }
  const open = { from: Math.max(fromMs, openMs), until: untilMs };
  const { refusals } = await countRefusals(database, open);
  const deliveries = await countEndedDeliveries(database, open);
  return {
    used,
    peak: Math.max(closed.seat_peak, hour?.seat_peak ?? 0, peak),
    refusals: closed.refusals + refusals,
    succeeded: closed.succeeded + deliveries.succeeded,
    failed: closed.failed + deliveries.failed,
  };
}

const withoutPeak = ({ refusals, succeeded, failed }: Awaited<ReturnType<typeof findClosedHours>>) => ({
  refusals,
  succeeded,
  failed,
});

function summarize(inForce: readonly SubscriptionsInForce[]) {
  const countOf = (wanted: string) =>
    inForce.filter(({ status }) => status === wanted).reduce((sum, { subscriptions }) => sum + subscriptions, 0);
  const amounts = new Map<string, number>();
  for (const { status, currency, monthly_amount: amount } of inForce) {
    if (status !== 'trialing') {
      amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
    }
  }
  return {
    mrr: [...amounts].map(([currency, amount]) => ({ currency, amount })),
    active_subscriptions: countOf('active'),
    trials: countOf('trialing'),
    past_due: countOf('past_due'),
  };
}

/** If no process reports any more, the reporting job itself is late. */
async function listLateJobs(database: Queries, nowMs: number): Promise<string[]> {
  const report = await findLateJobs(database);
  return report === undefined || nowMs - report.reported_at_ms > SILENT_AFTER_MS ? [COUNT_HOURS_JOB] : report.late_jobs;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const LONGEST_DAYS = 366;
const SILENT_AFTER_MS = 120_000;
