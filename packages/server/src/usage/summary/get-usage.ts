import { findOldestPeriod, listAllowances } from '../../billing/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { countSeats } from '../../licensing/index.ts';
import { findOrganizationClock } from '../../organizations/index.ts';
import type { UsageSummary } from '../schemas.ts';
import { findSeatPeak } from '../seat-peaks/find-seat-peak.ts';
import type { TimeRange } from '../seat-peaks/plan-peak.ts';
import { findSeatMark, listMeterUse } from './queries.ts';

/** The usage of the organization in the current period, on its own clock. */
export async function getUsage({ database, principal }: AuthorizedContext): Promise<UsageSummary> {
  const { organizationId } = principal;
  const clock = await findOrganizationClock(database, organizationId);
  if (clock === undefined) {
    throw notFound('organization');
  }
  const { nowMs, offsetMs: clockOffsetMs } = clock;
  const period = await findPeriod(database, organizationId, nowMs);
  const markMs = (await findSeatMark(database, { organizationId }))?.counted_until_ms;
  const peak = await findSeatPeak(database, { organizationId, clockOffsetMs, nowMs, markMs }, period);
  const seats = await countSeats(database, { organizationId, clockOffsetMs });
  const meters = await listMeters(database, organizationId, period);
  return {
    period_start: isoTime(period.fromMs),
    period_end: isoTime(period.untilMs),
    // A seat in use now counts for the period, even if it was acquired after the peak was read.
    seats: { ...seats, peak: period.untilMs > nowMs ? Math.max(peak, seats.used) : peak },
    ai_tokens: wholeOf(meters.get('ai_tokens') ?? NOTHING),
    storage_gb: meters.get('storage_gb') ?? NOTHING,
    meters: Object.fromEntries([...meters].filter(([name]) => !NAMED.has(name))),
  };
}

const NOTHING = { included: 0, used: 0 };
/** Meters with a field of their own. */
const NAMED: ReadonlySet<string> = new Set(['ai_tokens', 'storage_gb']);

/** The period of the oldest subscription, or the calendar month in UTC if there is none. */
async function findPeriod(database: Queries, organizationId: string, nowMs: number): Promise<TimeRange> {
  const period = await findOldestPeriod(database, { organizationId });
  if (period !== undefined) {
    return { fromMs: period.start_ms, untilMs: period.end_ms };
  }
  const now = new Date(nowMs);
  const firstOf = (month: number) => Date.UTC(now.getUTCFullYear(), month, 1);
  return { fromMs: firstOf(now.getUTCMonth()), untilMs: firstOf(now.getUTCMonth() + 1) };
}

/** Every meter of the catalogue by name: what the subscriptions include, and what was used. */
async function listMeters(database: Queries, organizationId: string, period: TimeRange) {
  const allowances = (await listAllowances(database, { organizationId })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const meter = allowances.map(({ name, aggregation }) => ({ name, aggregation }));
  const use = await listMeterUse(database, { organizationId, start: period.fromMs, end: period.untilMs, meter });
  const used = new Map(use.map((row) => [row.name, Number(row.used)]));
  return new Map(allowances.map(({ name, included }) => [name, { included, used: used.get(name) ?? 0 }]));
}

/** Tokens are whole. If fractions were reported, their sum is rounded, not each of them. */
function wholeOf({ included, used }: { included: number; used: number }) {
  return { included, used: Math.round(used) };
}
