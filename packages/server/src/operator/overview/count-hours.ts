import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { countRefusals, countSeatsInUse } from '../../licensing/index.ts';
import { countEndedDeliveries } from '../../webhooks/index.ts';
import {
  findDatabaseTime,
  insertOpenHour,
  lockOpenHour,
  type OpenHour,
  updateHourClosed,
  updateSeatPeak,
  upsertLateJobs,
} from './queries.ts';

export const COUNT_HOURS_JOB = 'operator.count-overview-hours';

/** Counts the overview's figures for past hours, and reports which jobs of this process are late. */
export function countHoursJob(database: Queries, listLateJobs: () => readonly string[]): Job {
  return {
    name: COUNT_HOURS_JOB,
    everyMs: 30_000,
    run: async () => {
      await upsertLateJobs(database, { lateJobs: listLateJobs() });
      return countHours(database);
    },
  };
}

/**
 * Counts up to the present or to the end of the open hour, which it then closes. Returns whether there is another hour
 * to count. The open hour's row is locked, so only one process counts, and one that dies leaves it unchanged.
 */
export async function countHours(database: Queries): Promise<boolean> {
  return database.transaction(async (tx) => {
    const hour = await lockOpenHour(tx);
    const { now_ms: nowMs } = await findDatabaseTime(tx);
    const settledMs = nowMs - SETTLED_AFTER_MS;
    if (hour === undefined) {
      await insertOpenHour(tx, { hour: Math.floor(settledMs / HOUR_MS) * HOUR_MS });
      return true;
    }
    const endMs = hour.hour_ms + HOUR_MS;
    const untilMs = Math.min(endMs, settledMs);
    if (untilMs > hour.seats_counted_until_ms) {
      await countSeats(tx, hour, untilMs);
    }
    if (settledMs < endMs) {
      return false;
    }
    await closeHour(tx, hour.hour_ms, endMs);
    return true;
  });
}

async function countSeats(tx: Queries, { hour_ms: hour, seats_counted_until_ms: from }: OpenHour, until: number) {
  const { peak } = await countSeatsInUse(tx, { from, until });
  await updateSeatPeak(tx, { hour, from, until, peak });
}

async function closeHour(tx: Queries, hour: number, until: number): Promise<void> {
  const { refusals } = await countRefusals(tx, { from: hour, until });
  const deliveries = await countEndedDeliveries(tx, { from: hour, until });
  await updateHourClosed(tx, { hour, refusals, ...deliveries });
  await insertOpenHour(tx, { hour: until });
}

export const HOUR_MS = 3_600_000;

/**
 * How long after a moment it is counted. Requests commit shortly after reading the clock, delivery attempts are dated
 * by their start, and refusals are written in batches; none of these takes nearly as long.
 */
const SETTLED_AFTER_MS = 60_000;
