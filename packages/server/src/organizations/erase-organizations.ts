import { eraseAuditDetailsOfOrganization } from '../audit/index.ts';
import type { Clock } from '../clock/index.ts';
import {
  deleteRowsOfOrganization,
  hasRowsOfOrganization,
  isForeignKeyViolation,
  type OrganizationTable,
  type Queries,
} from '../database/index.ts';
import type { Job } from '../jobs/index.ts';
import {
  DELETE_ERASED_ORGANIZATION,
  ERASE_ORGANIZATION_CONTENT,
  LIST_ERASED_ORGANIZATIONS,
  LIST_ORGANIZATIONS_TO_ERASE,
  UPDATE_ORGANIZATION_ERASED,
} from './erasure-queries.ts';

/** What erasing deleted organizations needs. */
export interface ErasingTools {
  database: Queries;
  clock: Clock;
  /** Of all rooms, with referring rows before the rows they refer to. */
  tables: readonly OrganizationTable[];
  /** Whether the books of a deleted organization are still kept; from the room that has them, which is above this one. */
  hasBooks(database: Queries, organizationId: string): Promise<boolean>;
}

/** Erases what deleted organizations left, in portions; and their rows when nothing refers to them any more. */
export function erasingJobs(tools: ErasingTools): Job[] {
  return [
    { name: 'organizations.erase-deleted', everyMs: 5_000, run: () => eraseDeletedOrganizations(tools) },
    { name: 'organizations.delete-erased', everyMs: 3_600_000, run: () => deleteErasedOrganizations(tools) },
  ];
}

/** Makes one pass over deleted organizations, a portion of each table; answers whether there is more. */
async function eraseDeletedOrganizations(tools: ErasingTools): Promise<boolean> {
  const organizations = await tools.database.query(LIST_ORGANIZATIONS_TO_ERASE, ['-infinity', '', ORGANIZATIONS]);
  let hasMore = organizations.length === ORGANIZATIONS;
  for (const { id } of organizations) {
    hasMore = (await eraseOrganization(tools, id)) || hasMore;
  }
  return hasMore;
}

async function eraseOrganization({ database, clock, tables }: ErasingTools, id: string): Promise<boolean> {
  await database.query(ERASE_ORGANIZATION_CONTENT, [id]);
  let erased = await eraseAuditDetailsOfOrganization(database, id, PORTION);
  for (const table of tables) {
    // What it refers to has to wait until nothing of this table is left.
    const gone = await deleteRowsOfOrganization(database, table, id, PORTION);
    erased += gone;
    if (gone >= PORTION) {
      break;
    }
  }
  if (erased === 0 && !(await isWaiting(database, tables, id))) {
    await database.query(UPDATE_ORGANIZATION_ERASED, [id, new Date(clock.nowMs())]);
  }
  return erased > 0;
}

/** Whether another job must still delete something, such as a card to detach at the provider. */
async function isWaiting(database: Queries, tables: readonly OrganizationTable[], id: string): Promise<boolean> {
  for (const table of tables.filter(({ only }) => only !== undefined)) {
    if (await hasRowsOfOrganization(database, table, id)) {
      return true;
    }
  }
  return false;
}

/** The rows of organizations that were erased, and have neither books nor a log any more. */
async function deleteErasedOrganizations({ database, hasBooks }: ErasingTools): Promise<boolean> {
  let after: readonly [Date | string, string] = ['-infinity', ''];
  for (let isLast = false; !isLast; ) {
    const rows = await database.query(LIST_ERASED_ORGANIZATIONS, [...after, ORGANIZATIONS]);
    for (const { id, erased_at: erasedAt } of rows) {
      after = [erasedAt, id];
      if (!(await hasBooks(database, id))) {
        await deleteRow(database, id);
      }
    }
    isLast = rows.length < ORGANIZATIONS;
  }
  return false;
}

/** Ended tokens and endpoints that are being deleted may refer to it: then it is deleted an hour later. */
async function deleteRow(database: Queries, id: string): Promise<void> {
  try {
    await database.query(DELETE_ERASED_ORGANIZATION, [id]);
  } catch (error) {
    if (!isForeignKeyViolation(error)) {
      throw error;
    }
  }
}

const ORGANIZATIONS = 100;
const PORTION = 500;
