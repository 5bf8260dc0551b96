import type { Queries } from '../../database/index.ts';
import { announcement, type Outbox } from '../../events/index.ts';
import { LICENSE_EXPIRED, LICENSE_EXPIRING } from '../events.ts';
import {
  type DueLicenseRow,
  listExpiredLicenses,
  listExpiredLicensesOfOrganization,
  listExpiringLicenses,
  listExpiringLicensesOfOrganization,
  updateExpiredAnnounced,
  updateExpiringAnnounced,
} from './expiry-queries.ts';
import { presentListedLicense } from './present-license.ts';
import { findLicense } from './queries.ts';

interface ExpiryTools {
  database: Queries;
  outbox: Outbox;
}

/**
 * Announces licenses that expire within 7 days and will not be renewed, once per expiry date. For a license that
 * expired while no process was running, it is too late: it is only marked, and license.expired follows.
 */
export async function warnOfExpiringLicenses(tools: ExpiryTools): Promise<boolean> {
  const due = await listExpiringLicenses(tools.database, { limit: PORTION });
  await announceEach(tools, due, markWarned);
  return due.length >= PORTION;
}

/** Announces expired licenses, once per expiry date. They have not been usable since that moment. */
export async function announceExpiredLicenses(tools: ExpiryTools): Promise<boolean> {
  const due = await listExpiredLicenses(tools.database, { limit: PORTION });
  await announceEach(tools, due, markExpired);
  return due.length >= PORTION;
}

/** Does both for one organization, one portion each. Returns how many licenses it marked. */
export async function announceExpiriesOfOrganization(tools: ExpiryTools, organizationId: string): Promise<number> {
  const portion = { limit: PORTION, organizationId };
  const warned = await announceEach(
    tools,
    await listExpiringLicensesOfOrganization(tools.database, portion),
    markWarned,
  );
  const expired = await listExpiredLicensesOfOrganization(tools.database, portion);
  return warned + (await announceEach(tools, expired, markExpired));
}

const PORTION = 100;

/** Marks a license, unless another process did, and returns the event to announce, if any. */
type Mark = (tx: Queries, row: DueLicenseRow) => Promise<{ isMarked: boolean; event?: typeof LICENSE_EXPIRED }>;

const markWarned: Mark = async (tx, row) => {
  const marked = await updateExpiringAnnounced(tx, placeOf(row));
  return { isMarked: marked !== undefined, ...(marked?.is_past === false ? { event: LICENSE_EXPIRING } : {}) };
};

const markExpired: Mark = async (tx, row) =>
  (await updateExpiredAnnounced(tx, placeOf(row))) === 0
    ? { isMarked: false }
    : { isMarked: true, event: LICENSE_EXPIRED };

async function announceEach(tools: ExpiryTools, due: readonly DueLicenseRow[], mark: Mark): Promise<number> {
  let marked = 0;
  for (const row of due) {
    const isMarked = await tools.database.transaction(async (tx) => {
      const { isMarked, event } = await mark(tx, row);
      const license = event === undefined ? undefined : await findLicense(tx, placeOf(row));
      if (event !== undefined && license !== undefined) {
        await tools.outbox.announce(tx, row.organization_id, row.clock_offset_ms, [
          announcement(event, { ...presentListedLicense(license), license_id: row.id }),
        ]);
      }
      return isMarked;
    });
    marked += isMarked ? 1 : 0;
  }
  return marked;
}

function placeOf(row: DueLicenseRow) {
  return { organizationId: row.organization_id, id: row.id, clockOffsetMs: row.clock_offset_ms };
}
