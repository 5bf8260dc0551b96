import { eraseAuditDetailsOfOrganization, hasAuditEntries } from '../audit/index.ts';
import type { Clock } from '../clock/index.ts';
import { isForeignKeyViolation, type OrganizationTable, type Queries } from '../database/index.ts';
import type { Job } from '../jobs/index.ts';
import {
  deleteErasedOrganization,
  eraseOrganizationContent,
  listErasedOrganizations,
  listOrganizationsToErase,
  updateOrganizationErased,
} from './erasure-queries.ts';

/** The dependencies of erasing deleted organizations. */
export interface ErasingTools {
  database: Queries;
  clock: Clock;
  /** The tables of all rooms, referring rows before the rows they refer to. */
  tables: readonly OrganizationTable[];
  /**
   * Whether invoices and payments of a deleted organization are still kept. Provided by billing, which is above this
   * room.
   */
  hasBooks(database: Queries, organizationId: string): Promise<boolean>;
}

/** Erases the rows of deleted organizations, in portions, and finally the organizations themselves. */
export function erasingJobs(tools: ErasingTools): Job[] {
  return [
    { name: 'organizations.erase-deleted', everyMs: 5_000, run: () => eraseDeletedOrganizations(tools) },
    { name: 'organizations.delete-erased', everyMs: 3_600_000, run: () => deleteErasedOrganizations(tools) },
  ];
}

/** Makes one pass over deleted organizations, with a portion of each table. Returns whether there is more. */
async function eraseDeletedOrganizations(tools: ErasingTools): Promise<boolean> {
  const organizations = await listOrganizationsToErase(tools.database, { ...FIRST, limit: ORGANIZATIONS });
  let hasMore = organizations.length === ORGANIZATIONS;
  for (const { id } of organizations) {
    hasMore = (await eraseOrganization(tools, id)) || hasMore;
  }
  return hasMore;
}

async function eraseOrganization({ database, clock, tables }: ErasingTools, id: string): Promise<boolean> {
  await eraseOrganizationContent(database, { id });
  let erased = await eraseAuditDetailsOfOrganization(database, { organizationId: id, limit: PORTION });
  for (const { deleteRows } of tables) {
    // The tables that it refers to have to wait until this one is empty.
    const gone = await deleteRows(database, { organizationId: id, limit: PORTION });
    erased += gone;
    if (gone >= PORTION) {
      break;
    }
  }
  if (erased === 0 && !(await isWaiting(database, tables, id))) {
    await updateOrganizationErased(database, { id, erasedAtMs: clock.nowMs() });
  }
  return erased > 0;
}

/** Whether another job must still delete something, such as a card to detach at the provider. */
async function isWaiting(database: Queries, tables: readonly OrganizationTable[], id: string): Promise<boolean> {
  for (const { hasRows } of tables) {
    if (await hasRows?.(database, { organizationId: id })) {
      return true;
    }
  }
  return false;
}

/** Deletes the rows of erased organizations that no longer have invoices or an audit log. */
async function deleteErasedOrganizations({ database, hasBooks }: ErasingTools): Promise<boolean> {
  let after: { afterTime: Date | string; afterId: string } = FIRST;
  for (let isLast = false; !isLast; ) {
    const rows = await listErasedOrganizations(database, { ...after, limit: ORGANIZATIONS });
    for (const { id, erased_at: erasedAt } of rows) {
      after = { afterTime: erasedAt, afterId: id };
      // The audit log is deleted by a job that walks through the organizations.
      if (!(await hasBooks(database, id)) && !(await hasAuditEntries(database, { organizationId: id }))) {
        await deleteRow(database, id);
      }
    }
    isLast = rows.length < ORGANIZATIONS;
  }
  return false;
}

/** Ended tokens, and endpoints that are being deleted, may still refer to it. It is then deleted an hour later. */
async function deleteRow(database: Queries, id: string): Promise<void> {
  try {
    await deleteErasedOrganization(database, { id });
  } catch (error) {
    if (!isForeignKeyViolation(error)) {
      throw error;
    }
  }
}

const FIRST = { afterTime: '-infinity', afterId: '' };
const ORGANIZATIONS = 100;
const PORTION = 500;
