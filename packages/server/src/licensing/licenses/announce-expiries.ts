import type { Queries, Statement } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import { LICENSE_EXPIRED, LICENSE_EXPIRING } from '../events.ts';
import type { LicensingState } from '../state.ts';
import {
  type DueLicenseRow,
  LIST_EXPIRED_LICENSES,
  LIST_EXPIRING_LICENSES,
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
  return announceEach(state, LIST_EXPIRING_LICENSES, async (tx, row) => {
    const [marked] = await tx.query(UPDATE_EXPIRING_ANNOUNCED, place(row));
    return marked === undefined || marked.is_past ? undefined : LICENSE_EXPIRING;
  });
}

/** Announces licenses that have expired, once for each expiry date. Everyone has refused them since that moment. */
export async function announceExpiredLicenses(state: LicensingState): Promise<boolean> {
  return announceEach(state, LIST_EXPIRED_LICENSES, async (tx, row) => {
    const [marked] = await tx.query(UPDATE_EXPIRED_ANNOUNCED, place(row));
    return marked === undefined ? undefined : LICENSE_EXPIRED;
  });
}

const PORTION = 100;

async function announceEach(
  state: LicensingState,
  due: Statement<DueLicenseRow>,
  mark: (tx: Queries, row: DueLicenseRow) => Promise<typeof LICENSE_EXPIRED | undefined>,
): Promise<boolean> {
  const rows = await state.database.query(due, [PORTION]);
  for (const row of rows) {
    await state.database.transaction(async (tx) => {
      const event = await mark(tx, row);
      const [license] =
        event === undefined ? [] : await tx.run(findLicense(row.organization_id, row.clock_offset_ms, row.id));
      if (event !== undefined && license !== undefined) {
        const shown = presentLicense(license, license.active_seats, license.now_ms);
        await state.outbox.announce(tx, row.organization_id, row.clock_offset_ms, [
          announcement(event, { ...shown, license_id: row.id }),
        ]);
      }
    });
  }
  return rows.length >= PORTION;
}

function place(row: DueLicenseRow): [string, string, number] {
  return [row.organization_id, row.id, row.clock_offset_ms];
}
