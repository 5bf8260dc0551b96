import type { Queries } from '../../database/index.ts';
import { lockLicenses } from '../licenses/entitlement-queries.ts';
import { type DueLineRow, listDueLines } from './due-line-queries.ts';
import { type LineRow, updateLines } from './line-queries.ts';
import { type ClockRow, type LicenseRow, listLicensesWithClock } from './queries.ts';

/** The waiting list of a license, as a batch of requests sees it. */
export interface Line {
  waiting: number;
  /** The waits of the machines in the batch. */
  waits: ReadonlyMap<string, LineRow & { id: string }>;
}

/** Updates the lines of locked licenses. Returns one line per license, by ID. */
export async function settleLines(
  tx: Queries,
  organizationId: string,
  licenses: ReadonlyArray<LicenseRow & ClockRow>,
  asked: ReadonlyArray<{ user_id: string; hardware_id: string }>,
): Promise<ReadonlyMap<string, Line>> {
  const [clock] = licenses;
  if (clock === undefined) {
    return new Map();
  }
  const rows = await updateLines(tx, {
    organizationId,
    serviceMs: clock.service_ms,
    wallMs: clock.wall_ms,
    awayMs: clock.away_ms,
    lines: licenses.map((license) => ({
      license_id: license.id,
      open_seats: Math.max(0, license.max_seats - license.taken + license.over),
      reason: endOf(license),
    })),
    asked,
  });
  const byLicense = Map.groupBy(rows, (row) => row.license_id);
  return new Map([...byLicense].map(([licenseId, found]) => [licenseId, lineOf(found)]));
}

function lineOf(rows: readonly LineRow[]): Line {
  const waits = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
  return { waiting: rows[0]?.waiting ?? 0, waits: new Map(waits.map((row) => [machineOf(row), row])) };
}

/** A user on a machine, as a key. */
function machineOf({ user_id: userId, hardware_id: hardwareId }: { user_id: string; hardware_id: string }): string {
  return `${userId} ${hardwareId}`;
}

/** Why the license can no longer be waited for. */
function endOf(license: LicenseRow & ClockRow): string | null {
  if (license.state !== 'active') {
    return `license_${license.state}`;
  }
  return license.expires_at_ms <= license.wall_ms ? 'license_expired' : null;
}

/** Updates one line, under its license's lock. */
export async function settleLine(database: Queries, line: DueLineRow): Promise<void> {
  const { organization_id: organizationId, license_id: licenseId, clock_offset_ms: clockOffsetMs } = line;
  await database.transaction(async (tx) => {
    await lockLicenses(tx, { organizationId, ids: [licenseId] });
    const licenses = await listLicensesWithClock(tx, { organizationId, clockOffsetMs, licenseIds: [licenseId] });
    await settleLines(tx, organizationId, licenses, []);
  });
}

/**
 * Updates lines without a current request: ends waits, and reserves free seats for the head of the line. Handles a
 * limited number and returns whether there may be more.
 */
export async function settleDueLines({ database }: { database: Queries }): Promise<boolean> {
  return (await settle(database, null)) >= PORTION;
}

/** The same for one organization, whose clock may have moved. Returns how many lines had work. */
export function settleDueLinesOfOrganization(database: Queries, organizationId: string): Promise<number> {
  return settle(database, organizationId);
}

async function settle(database: Queries, organizationId: string | null): Promise<number> {
  const due = await listDueLines(database, { organizationId, limit: PORTION });
  for (const line of due) {
    await settleLine(database, line);
  }
  return due.length;
}

const PORTION = 100;
