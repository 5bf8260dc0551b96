import type { Clock } from '../../clock/index.ts';
import { deleteRowsOfOrganization, type Queries } from '../../database/index.ts';
import { firstIdAt } from '../../ids/index.ts';
import { endOfRetention, type Job, RetentionWalk } from '../../jobs/index.ts';
import { LOCK_ACCOUNT } from '../accounts/queries.ts';
import { BOOK_TABLES } from '../billing-tables.ts';
import {
  DELETE_OLD_FAILED_PAYMENTS,
  DELETE_OLD_INVOICES,
  DELETE_OLD_ORPHANS,
  FIND_ENDED_ORGANIZATION,
  LIST_BOOK_AGES,
} from './queries.ts';

/**
 * Deletes invoices past their retention, with their PDFs and payments, the books of organizations that were deleted as
 * long ago, and orphaned payments that were closed as long ago. No job if they are kept forever.
 */
export function bookRetentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const walk = new RetentionWalk({
    listAges: (after, limit) => database.query(LIST_BOOK_AGES, [after, limit, before()]),
    deletePortion: (id) => deletePortion(database, id, before()),
  });
  const run = async () => {
    const orphans = await database.query(DELETE_OLD_ORPHANS, [before(), PORTION]);
    return (await walk.run()) || orphans.length >= PORTION;
  };
  return days === 0 ? [] : [{ name: 'billing.delete-old-books', everyMs: HOUR_MS, run }];
}

async function deletePortion(database: Queries, organizationId: string, before: Date): Promise<boolean> {
  const [ended] = await database.query(FIND_ENDED_ORGANIZATION, [organizationId, before]);
  if (ended !== undefined) {
    let gone = 0;
    for (const table of BOOK_TABLES) {
      gone += await deleteRowsOfOrganization(database, table, organizationId, PORTION);
    }
    return gone > 0;
  }
  return database.transaction(async (tx) => {
    await tx.query(LOCK_ACCOUNT, [organizationId]);
    const invoices = await tx.query(DELETE_OLD_INVOICES, [organizationId, before, PORTION]);
    const firstKept = firstIdAt('payment', before.getTime());
    const payments = await tx.query(DELETE_OLD_FAILED_PAYMENTS, [organizationId, firstKept, PORTION]);
    return invoices.length >= PORTION || payments.length >= PORTION;
  });
}

const PORTION = 500;
const HOUR_MS = 3_600_000;
