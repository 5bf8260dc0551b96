import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { firstIdAt } from '../../ids/index.ts';
import { endOfRetention, type Job, RetentionWalk } from '../../jobs/index.ts';
import { listAllOrganizations, listEndedOrganizations } from '../../organizations/index.ts';
import { lockAccountRow } from '../accounts/queries.ts';
import { BOOK_TABLES } from '../billing-tables.ts';
import { deleteOldFailedPayments, deleteOldInvoices, deleteOldOrphans, listInvoiceAges } from './queries.ts';

/**
 * Deletes invoices past their retention with their PDFs and payments, the books of organizations deleted that long ago,
 * and orphaned payments closed that long ago. There is no job if invoices are kept forever.
 */
export function bookRetentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const walk = new RetentionWalk({
    listOrganizations: (after, limit) => listAllOrganizations(database, { after, limit }),
    listAges: (organizationIds) => listAges(database, organizationIds, before()),
    deletePortion: (id) => deletePortion(database, id, before()),
  });
  const run = async () => {
    const orphans = await deleteOldOrphans(database, { before: before(), limit: PORTION });
    return (await walk.run()) || orphans >= PORTION;
  };
  return days === 0 ? [] : [{ name: 'billing.delete-old-books', everyMs: HOUR_MS, run }];
}

/** All books of an organization expire one retention period after its deletion. */
async function listAges(database: Queries, organizationIds: readonly string[], before: Date) {
  const ages = await listInvoiceAges(database, { organizationIds, before });
  const ended = await listEndedOrganizations(database, { organizationIds, before });
  return [...ages, ...ended.map(({ id }) => ({ organization_id: id, is_over: true }))];
}

async function deletePortion(database: Queries, organizationId: string, before: Date): Promise<boolean> {
  const ended = await listEndedOrganizations(database, { organizationIds: [organizationId], before });
  if (ended.length > 0) {
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
