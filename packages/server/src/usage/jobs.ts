import type { Queries } from '../database/index.ts';
import type { Job } from '../jobs/index.ts';
import { deleteOldUsage } from './retention/delete-old-usage.ts';
import { SeatHourCounter } from './seat-peaks/count-seat-hours.ts';

/** The room's background work. No summary depends on it, but it keeps them fast. */
export function usageJobs(database: Queries): Job[] {
  const counter = new SeatHourCounter(database);
  return [
    { name: 'usage.count-seat-hours', everyMs: 300_000, run: (stopping) => counter.run(stopping) },
    { name: 'usage.delete-old-usage', everyMs: 3_600_000, run: () => deleteOldUsage(database) },
  ];
}
