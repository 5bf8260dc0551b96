import type { Queries } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import { LICENSE_EXPIRED, LICENSE_EXPIRING } from '../events.ts';
import type { LicensingState } from '../state.ts';
import {
  type DueLicenseRow,
  LIST_EXPIRED_LICENSES,
  LIST_EXPIRED_LICENSES_OF_ORGANIZATION,
  LIST_EXPIRING_LICENSES,
  LIST_EXPIRING_LICENSES_OF_ORGANIZATION,
  UPDATE_EXPIRED_ANNOUNCED,
  UPDATE_EXPIRING_ANNOUNCED,
} from './expiry-queries.ts';
import { presentLicense } from './present-license.ts';
import { findLicense } from './queries.ts';

/**
 * Announces licenses that expire within 7 days and that nothing renews, once for each expiry date. One that lapsed
 * while nobody looked is past warning: it is marked and only license.expired follows.
 */
export async function warnOfExpiringLicenses(state: LicensingState): Promise<boolean> {
  const due = await state.database.query(LIST_EXPIRING_LICENSES, [PORTION]);
  await announceEach(state, due, markWarned);
  return due.length >= PORTION;
}

/** Announces licenses that have expired, once for each expiry date. Everyone has refused them since that moment. */
export async function announceExpiredLicenses(state: LicensingState): Promise<boolean> {
  const due = await state.database.query(LIST_EXPIRED_LICENSES, [PORTION]);
  await announceEach(state, due, markExpired);
  return due.length >= PORTION;
}

/** Both for one organization, a portion of each; answers how many were due and not yet done by another process. */
export async function announceExpiriesOfOrganization(state: LicensingState, organizationId: string): Promise<number> {
  const place = [PORTION, organizationId];
  const expiring = await state.database.query(LIST_EXPIRING_LICENSES_OF_ORGANIZATION, place);
  const warned = await announceEach(state, expiring, markWarned);
  const expired = await state.database.query(LIST_EXPIRED_LICENSES_OF_ORGANIZATION, place);
  return warned + (await announceEach(state, expired, markExpired));
}

const PORTION = 100;

/** Whether the license is ours to mark, and what is to be announced then. */
type Mark = (tx: Queries, row: DueLicenseRow) => Promise<{ isMarked: boolean; event?: typeof LICENSE_EXPIRED }>;

const markWarned: Mark = async (tx, row) => {
  const [marked] = await tx.query(UPDATE_EXPIRING_ANNOUNCED, place(row));
  return { isMarked: marked !== undefined, ...(marked?.is_past === false ? { event: LICENSE_EXPIRING } : {}) };
};

const markExpired: Mark = async (tx, row) => {
  const [marked] = await tx.query(UPDATE_EXPIRED_ANNOUNCED, place(row));
  return marked === undefined ? { isMarked: false } : { isMarked: true, event: LICENSE_EXPIRED };
};

async function announceEach(state: LicensingState, due: readonly DueLicenseRow[], mark: Mark): Promise<number> {
  let count = 0;
  for (const row of due) {
    const isMarked = await state.database.transaction(async (tx) => {
      const { isMarked, event } = await mark(tx, row);
      const [license] =
        event === undefined ? [] : await tx.run(findLicense(row.organization_id, row.clock_offset_ms, row.id));
      if (event !== undefined && license !== undefined) {
        const shown = presentLicense(license, license.active_seats, license.now_ms);
        await state.outbox.announce(tx, row.organization_id, row.clock_offset_ms, [
          announcement(event, { ...shown, license_id: row.id }),
        ]);
      }
      return isMarked;
    });
    count += isMarked ? 1 : 0;
  }
  return count;
}

function place(row: DueLicenseRow): [string, string, number] {
  return [row.organization_id, row.id, row.clock_offset_ms];
}
