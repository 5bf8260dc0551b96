import type { Queries } from '../../database/index.ts';
import { deleteOldHours, deleteOldRecords, deleteOldSeatHours } from './queries.ts';

/** Deletes a portion of the records that no summary reads any more. Returns whether there may be more. */
export async function deleteOldUsage(database: Queries): Promise<boolean> {
  const deleted = [
    await deleteOldRecords(database, { limit: PORTION, days: RECORD_DAYS }),
    await deleteOldHours(database, { limit: PORTION, days: HOUR_DAYS }),
    await deleteOldSeatHours(database, { limit: PORTION, days: HOUR_DAYS }),
  ];
  return deleted.some((rows) => rows >= PORTION);
}

const PORTION = 1_000;
/** A record is accepted for 35 days, so none is repeated after that; a period is never this old. */
const RECORD_DAYS = 100;
const HOUR_DAYS = 400;
