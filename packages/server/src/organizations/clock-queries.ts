import type { Queries, Statement } from '../database/index.ts';

/** An organization's own clock. */
export interface OrganizationClock {
  /** What it shows, in whole milliseconds since 1970. */
  nowMs: number;
  /** How far it runs ahead of real time. */
  offsetMs: number;
}

/** What an organization's clock shows; undefined when it is unknown or deleted. */
export async function findOrganizationClock(
  database: Queries,
  organizationId: string,
): Promise<OrganizationClock | undefined> {
  return present(await database.query(FIND_ORGANIZATION_CLOCK, [organizationId]));
}

/** The same, locked until the transaction ends and read after the wait. Nobody else moves it meanwhile. */
export async function lockOrganizationClock(
  tx: Queries,
  organizationId: string,
): Promise<OrganizationClock | undefined> {
  await tx.query(LOCK_ORGANIZATION_ROW, [organizationId]);
  return findOrganizationClock(tx, organizationId);
}

/** Sets how far an organization's clock runs ahead; it never goes back. The caller holds its lock. */
export async function updateClockOffset(tx: Queries, organizationId: string, offsetMs: number): Promise<void> {
  await tx.query(UPDATE_CLOCK_OFFSET, [organizationId, offsetMs]);
}

function present(rows: ReadonlyArray<{ now_ms: number; offset_ms: number }>): OrganizationClock | undefined {
  const [row] = rows;
  return row === undefined ? undefined : { nowMs: row.now_ms, offsetMs: row.offset_ms };
}

const FIND_ORGANIZATION_CLOCK: Statement<{ now_ms: number; offset_ms: number }> = {
  name: 'find_organization_clock',
  text: `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + clock_offset_ms as now_ms,
      clock_offset_ms as offset_ms
    from organizations where id = $1 and deleted_at is null`,
};

/** Not `for update`, which would make whatever refers to the organization by a foreign key wait as well. */
const LOCK_ORGANIZATION_ROW: Statement<{ id: string }> = {
  name: 'lock_organization_row',
  text: 'select id from organizations where id = $1 for no key update',
};

const UPDATE_CLOCK_OFFSET: Statement<never> = {
  name: 'update_clock_offset',
  text: 'update organizations set clock_offset_ms = $2 where id = $1 and clock_offset_ms < $2',
};
