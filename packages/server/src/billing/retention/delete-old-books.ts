import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { firstIdAt } from '../../ids/index.ts';
import { endOfRetention, type Job, RetentionWalk } from '../../jobs/index.ts';
import { lockAccountRow } from '../accounts/queries.ts';
import { BOOK_TABLES } from '../billing-tables.ts';
import {
  deleteOldFailedPayments,
  deleteOldInvoices,
  deleteOldOrphans,
  findEndedOrganization,
  listBookAges,
} from './queries.ts';

/**
 * Deletes invoices past their retention with their PDFs and payments, the books of organizations that were deleted as long
 * ago, and orphaned payments that were closed as long ago. There is no job if invoices are kept forever.
 */
export function bookRetentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const walk = new RetentionWalk({
    listAges: (after, limit) => listBookAges(database, { after, limit, before: before() }),
    deletePortion: (id) => deletePortion(database, id, before()),
  });
  const run = async () => {
    const orphans = await deleteOldOrphans(database, { before: before(), limit: PORTION });
    return (await walk.run()) || orphans >= PORTION;
  };
  return days === 0 ? [] : [{ name: 'billing.delete-old-books', everyMs: HOUR_MS, run }];
}

async function deletePortion(database: Queries, organizationId: string, before: Date): Promise<boolean> {
  if ((await findEndedOrganization(database, { organizationId, before })) !== undefined) {
    let gone = 0;
    for (const { deleteRows } of BOOK_TABLES) {
      gone += await deleteRows(database, { organizationId, limit: PORTION });
    }
    return gone > 0;
  }
  return database.transaction(async (tx) => {
    await lockAccountRow(tx, { organizationId });
    const invoices = await deleteOldInvoices(tx, { organizationId, before, limit: PORTION });
    const firstKeptId = firstIdAt('payment', before.getTime());
    const payments = await deleteOldFailedPayments(tx, { organizationId, firstKeptId, limit: PORTION });
    return invoices >= PORTION || payments >= PORTION;
  });
}

const PORTION = 500;
const HOUR_MS = 3_600_000;
