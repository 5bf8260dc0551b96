import type { Queries } from '../../database/index.ts';
import { DELETE_OLD_HOURS, DELETE_OLD_RECORDS, DELETE_OLD_SEAT_HOURS } from './queries.ts';

/** Removes a portion of what no summary is read from any more; answers whether there may be more. */
export async function deleteOldUsage(database: Queries): Promise<boolean> {
  const deleted = [
    await database.query(DELETE_OLD_RECORDS, [PORTION, RECORD_DAYS]),
    await database.query(DELETE_OLD_HOURS, [PORTION, HOUR_DAYS]),
    await database.query(DELETE_OLD_SEAT_HOURS, [PORTION, HOUR_DAYS]),
  ];
  return deleted.some((rows) => rows.length >= PORTION);
}

const PORTION = 1_000;
/** Past the 35 days in which a record is accepted there is none that could be sent again; a period is never this old. */
const RECORD_DAYS = 100;
const HOUR_DAYS = 400;
