import { maybeOne, milliseconds, type Queries, statement, wallTime } from '../database/index.ts';

/** An organization's own clock. */
export interface OrganizationClock {
  /** The clock's time, in whole milliseconds since 1970. */
  nowMs: number;
  /** How far it runs ahead of real time. */
  offsetMs: number;
}

/** The time of an organization's clock; undefined if the organization is unknown or deleted. */
export async function findOrganizationClock(
  database: Queries,
  organizationId: string,
): Promise<OrganizationClock | undefined> {
  const row = await findClock(database, { organizationId });
  return row === undefined ? undefined : { nowMs: row.now_ms, offsetMs: row.offset_ms };
}

/** The same, locked until the transaction ends, and read after the wait. Nothing else can move it in the meantime. */
export async function lockOrganizationClock(
  tx: Queries,
  organizationId: string,
): Promise<OrganizationClock | undefined> {
  await lockOrganizationRow(tx, { organizationId });
  return findOrganizationClock(tx, organizationId);
}

/** The time of an organization's clock and how far it runs ahead, even of a deleted one. */
export const findClockEvenIfDeleted = statement({
  name: 'find_clock_even_if_deleted',
  parameters: { organizationId: 'text' },
  returns: maybeOne<{ now_ms: number; clock_offset_ms: number }>(),
  sql: ({ organizationId }) => `
    select ${milliseconds(wallTime('clock_offset_ms'))} as now_ms, clock_offset_ms
    from organizations where id = ${organizationId}`,
});

/** Sets how far an organization's clock runs ahead. It never goes back. The caller holds its lock. */
export const updateClockOffset = statement({
  name: 'update_clock_offset',
  parameters: { organizationId: 'text', offsetMs: 'bigint' },
  sql: ({ organizationId, offsetMs }) =>
    `update organizations set clock_offset_ms = ${offsetMs} where id = ${organizationId} and clock_offset_ms < ${offsetMs}`,
});

const findClock = statement({
  name: 'find_organization_clock',
  parameters: { organizationId: 'text' },
  returns: maybeOne<{ now_ms: number; offset_ms: number }>(),
  sql: ({ organizationId }) => `
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + clock_offset_ms as now_ms,
      clock_offset_ms as offset_ms
    from organizations where id = ${organizationId} and deleted_at is null`,
});

/**
 * Not `for update`, because every row that refers to the organization by a foreign key would then also have to wait.
 */
const lockOrganizationRow = statement({
  name: 'lock_organization_row',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) => `select id from organizations where id = ${organizationId} for no key update`,
});
