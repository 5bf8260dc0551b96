import { isoTime } from '../../clock/index.ts';
import type { Answer, AuthorizedContext } from '../../http/index.ts';
import { requireLicense } from '../licenses/require-license.ts';
import type { DemandResource } from '../schemas.ts';
import { type DemandQuery, parseDemandRange } from './demand-range.ts';
import { DemandTally, type DemandWindow, MINUTE_MS } from './demand-tally.ts';
import { countActiveAt, countBegun, countEnded, listActivity, listRefusedMinutes } from './queries.ts';
import { countWaitingAt, listWaitActivity } from './wait-queries.ts';

/**
 * How many seats of a license were in use and how many more were requested. Throws not_found, and the errors of the
 * range.
 */
export async function getDemand(
  context: AuthorizedContext,
  licenseId: string,
  query: DemandQuery,
): Promise<Answer<DemandResource>> {
  const license = await requireLicense(context, licenseId);
  const range = parseDemandRange(query, license.now_ms);
  const { organizationId, clockOffsetMs } = context.principal;
  const of = { organizationId, clockOffsetMs, licenseId };
  const active = await countActive(context, of, range.fromMs, license.now_ms);
  const { waiting } = await countWaitingAt(context.database, { ...of, at: range.fromMs });
  const tally = new DemandTally({ active, waiting }, range.intervalMs);
  await addWindows(context, of, tally, range);
  const points = tally.points.map(({ atMs, peak, refused, waitingPeak }) => ({
    at: isoTime(Math.max(atMs, range.fromMs)),
    peak,
    refused,
    waiting_peak: waitingPeak,
  }));
  return { data: { points, suggested_seats: tally.suggestedSeats } };
}

interface OfLicense {
  organizationId: string;
  clockOffsetMs: number;
  licenseId: string;
}

/** The sessions that began before a time and lasted until then. Those that have ended since are counted day by day. */
async function countActive(context: AuthorizedContext, of: OfLicense, atMs: number, nowMs: number): Promise<number> {
  const { database } = context;
  let active = 0;
  let fromMs = atMs;
  for (; fromMs + DAY_MS < nowMs && !context.whenGone().aborted; fromMs += DAY_MS) {
    active += (await countEnded(database, { ...of, at: atMs, from: fromMs, until: fromMs + DAY_MS })).sessions;
  }
  return active + (await countActiveAt(database, { ...of, at: atMs, endedSince: fromMs })).sessions;
}

/**
 * Adds a range day by day, or in smaller parts if more sessions began, so that no statement takes long or uses much
 * memory. The range is in the past, so concurrent changes do not affect it.
 */
async function addWindows(
  context: AuthorizedContext,
  of: OfLicense,
  tally: DemandTally,
  { fromMs, untilMs }: DemandWindow,
): Promise<void> {
  const { database } = context;
  let partMs = DAY_MS;
  for (let atMs = fromMs; atMs < untilMs && !context.whenGone().aborted; ) {
    const until = Math.min(atMs + partMs, untilMs);
    const window = { ...of, from: atMs, until };
    const { sessions } = await countBegun(database, { ...window, limit: MOST_BEGUN });
    if (sessions >= MOST_BEGUN && partMs > MINUTE_MS) {
      partMs = Math.max(MINUTE_MS, Math.floor(partMs / 2 / MINUTE_MS) * MINUTE_MS);
      continue;
    }
    const activity = await listActivity(database, window);
    const refused = await listRefusedMinutes(database, window);
    const waits = await listWaitActivity(database, window);
    tally.add({ fromMs: atMs, untilMs: until }, activity, refused, waits);
    atMs = until;
    partMs = sessions < MOST_BEGUN / 4 ? Math.min(2 * partMs, DAY_MS) : partMs;
  }
}

const DAY_MS = 86_400_000;
const MOST_BEGUN = 20_000;
