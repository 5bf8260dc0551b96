import type { Queries } from '../../database/index.ts';
import { planPeak, type Stretch } from './plan-peak.ts';
import { FIND_COUNTED_PEAK, FIND_OPEN_PEAK, FIND_PEAK_OF_PART } from './queries.ts';

/** An organization at a moment of its clock. */
export interface CountedOrganization {
  organizationId: string;
  clockOffsetMs: number;
  nowMs: number;
  /** The end of the last hour that is counted. */
  markMs: number | undefined;
}

/** The highest number of seats, of all licenses, that were in use at one moment of the period so far. */
export async function findSeatPeak(
  database: Queries,
  { organizationId, clockOffsetMs, nowMs, markMs }: CountedOrganization,
  period: Stretch,
): Promise<number> {
  const { hours, parts, open } = planPeak(period, nowMs, markMs);
  const found: Array<{ peak: number }> = [];
  if (open !== undefined) {
    const values = [organizationId, clockOffsetMs, open.fromMs, open.untilMs ?? null];
    found.push(...(await database.query(FIND_OPEN_PEAK, values)));
  }
  if (hours !== undefined) {
    found.push(...(await database.query(FIND_COUNTED_PEAK, [organizationId, hours.fromMs, hours.untilMs])));
  }
  for (const { hourMs, fromMs, untilMs } of parts) {
    found.push(...(await database.query(FIND_PEAK_OF_PART, [organizationId, hourMs, fromMs, untilMs])));
  }
  return Math.max(0, ...found.map((row) => row.peak));
}
