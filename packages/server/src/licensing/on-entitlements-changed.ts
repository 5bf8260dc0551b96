import { ENTITLEMENTS_CHANGED } from '../billing/index.ts';
import { type Reaction, reactTo } from '../events/index.ts';
import { insertSubscribedLicenses, lockLicenses, updateSubscribedLicenses } from './licenses/entitlement-queries.ts';
import { newLicenseKey } from './licenses/license-key.ts';

/**
 * Gives the licenses of subscriptions the paid terms, in the transaction of the payment. Existing licenses are locked
 * first, so that no seat is taken or ended in the meantime, and every transaction sees a consistent number of seats. A
 * license that the operator suspended or revoked stays so. One that has ended permanently keeps no seats.
 */
export const ON_ENTITLEMENTS_CHANGED: Reaction = reactTo(ENTITLEMENTS_CHANGED, async (tx, object, happening) => {
  const { organizationId, clockOffsetMs } = happening;
  // The last entitlement of a license counts.
  const byLicense = new Map(object.entitlements.map((each) => [each.license_id, each]));
  const locked = await lockLicenses(tx, { organizationId, ids: [...byLicense.keys()] });
  const known = new Set(locked.map((row) => row.license_id));
  const entitlements = [...byLicense.values()];
  const existing = entitlements.filter((each) => known.has(each.license_id));
  const added = entitlements
    .filter((each) => !known.has(each.license_id))
    .map((each) => ({ ...each, key: newLicenseKey() }));
  if (added.length > 0) {
    const written = await insertSubscribedLicenses(tx, { organizationId, clockOffsetMs, entitled: added });
    requireAll(written, added.length);
  }
  if (existing.length > 0) {
    const written = await updateSubscribedLicenses(tx, { organizationId, clockOffsetMs, entitled: existing });
    requireAll(written, existing.length);
  }
});

/** A paid but missing license must not be committed. */
function requireAll(written: number, expected: number): void {
  if (written !== expected) {
    throw new Error(`${expected} licenses were to be written but ${written} were`);
  }
}
