import { isoTime } from '../../clock/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import type { UsageSummary } from '../schemas.ts';
import { findSeatPeak } from '../seat-peaks/find-seat-peak.ts';
import { COUNT_SEATS, FIND_PERIOD, LIST_METERS, type MeterRow, type PeriodRow } from './queries.ts';

/** What the organization uses in the present period, on its own clock. */
export async function readUsage({ database, principal }: AuthorizedContext): Promise<UsageSummary> {
  const { organizationId } = principal;
  const [period] = await database.query(FIND_PERIOD, [organizationId]);
  if (period === undefined) {
    throw notFound('organization');
  }
  const { start_ms: startMs, end_ms: endMs } = period;
  const peak = await findSeatPeak(database, countedIn(organizationId, period), { fromMs: startMs, untilMs: endMs });
  const [seats = { included: 0, used: 0 }] = await database.query(COUNT_SEATS, [
    organizationId,
    period.clock_offset_ms,
  ]);
  const meters = new Map((await database.query(LIST_METERS, [organizationId, startMs, endMs])).map(meterOf));
  return {
    period_start: isoTime(startMs),
    period_end: isoTime(endMs),
    // What is in use now is in use in the period, though it may have begun since the peak was read.
    seats: { ...seats, peak: endMs > period.now_ms ? Math.max(peak, seats.used) : peak },
    ai_tokens: wholeOf(meters.get('ai_tokens') ?? NOTHING),
    storage_gb: meters.get('storage_gb') ?? NOTHING,
    meters: Object.fromEntries([...meters].filter(([name]) => !NAMED.has(name))),
  };
}

const NOTHING = { included: 0, used: 0 };
/** Those that have a place of their own. */
const NAMED: ReadonlySet<string> = new Set(['ai_tokens', 'storage_gb']);

function countedIn(organizationId: string, period: PeriodRow) {
  return {
    organizationId,
    clockOffsetMs: period.clock_offset_ms,
    nowMs: period.now_ms,
    markMs: period.counted_until_ms ?? undefined,
  };
}

function meterOf({ name, included, used }: MeterRow) {
  return [name, { included, used: Number(used) }] as const;
}

/** Tokens are whole; should parts of them have been reported, their sum is rounded, and not each. */
function wholeOf({ included, used }: { included: number; used: number }) {
  return { included, used: Math.round(used) };
}
