import type { Queries } from '../../database/index.ts';
import { planPeak, type TimeRange } from './plan-peak.ts';
import { findCountedPeak, findOpenPeak, findPeakOfPart } from './queries.ts';

/** An organization at a moment of its clock. */
export interface CountedOrganization {
  organizationId: string;
  clockOffsetMs: number;
  nowMs: number;
  /** The end of the last counted hour. */
  markMs: number | undefined;
}

/** The highest number of seats in use at one moment of the period so far, over all licenses. */
export async function findSeatPeak(
  database: Queries,
  { organizationId, clockOffsetMs, nowMs, markMs }: CountedOrganization,
  period: TimeRange,
): Promise<number> {
  const { hours, parts, open } = planPeak(period, nowMs, markMs);
  const found: Array<{ peak: number }> = [];
  if (open !== undefined) {
    const { fromMs: from, untilMs: until = null } = open;
    found.push(await findOpenPeak(database, { organizationId, clockOffsetMs, from, until }));
  }
  if (hours !== undefined) {
    found.push(await findCountedPeak(database, { organizationId, from: hours.fromMs, until: hours.untilMs }));
  }
  for (const { hourMs, fromMs, untilMs } of parts) {
    found.push(await findPeakOfPart(database, { organizationId, hour: hourMs, from: fromMs, until: untilMs }));
  }
  return Math.max(0, ...found.map((row) => row.peak));
}
