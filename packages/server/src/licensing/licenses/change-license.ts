import { recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError, notFound } from '../../http/index.ts';
import { findClockEvenIfDeleted, lockLicenseTier } from '../../organizations/index.ts';
import { LICENSE_REINSTATED, LICENSE_REVOKED, LICENSE_SUSPENDED, LICENSE_UPDATED } from '../events.ts';
import { deleteLicenseRevocation, insertLicenseRevocation } from '../revocations/queries.ts';
import type { LicenseResource } from '../schemas.ts';
import { announceLicense, type LicenseChangeTools, refreshLicenseTier } from './license-change-tools.ts';
import { NEVER } from './license-rules.ts';
import { presentListedLicense } from './present-license.ts';
import {
  findLicense,
  findLicenseOwner,
  type ListedLicenseRow,
  lockLicense,
  updateLicenseExpiry,
  updateLicenseSeats,
  updateLicenseState,
} from './queries.ts';

/** The changes that the operator can make to a license. Times are ISO 8601; null makes it perpetual. */
export type LicenseChange =
  | { kind: 'suspend' | 'reinstate' | 'revoke'; reason?: string | undefined }
  | { kind: 'extend'; expiresAt: string | null }
  | { kind: 'resize'; maxSeats: number };

/**
 * Changes a license under its lock, so that no seat is taken or ended in the meantime. Throws not_found, or conflict if
 * its state does not allow the change: a revoked license stays revoked, and a subscription determines the seats and
 * expiry of its license. The change is recorded in the organization's audit log and announced.
 */
export async function changeLicense(
  tools: LicenseChangeTools,
  id: string,
  change: LicenseChange,
): Promise<LicenseResource> {
  return tools.database.transaction(async (tx) => {
    const owner = await findLicenseOwner(tx, { id });
    if (owner === undefined) {
      throw notFound('license');
    }
    const organizationId = owner.organization_id;
    if (change.kind === 'revoke') {
      await lockLicenseTier(tx, { organizationId });
    }
    await lockLicense(tx, { organizationId, id });
    const clockOffsetMs = (await findClockEvenIfDeleted(tx, { organizationId }))?.clock_offset_ms ?? 0;
    const place = { organizationId, clockOffsetMs, id };
    const before = await requireLicense(tx, place);
    requireChangeable(before, change);
    await writeChange(tx, place, change);
    if (change.kind === 'revoke') {
      await refreshLicenseTier(tx, organizationId);
    }
    const shown = presentListedLicense(await requireLicense(tx, place));
    await announceLicense(tx, tools, { organizationId, clockOffsetMs }, EVENTS[change.kind], shown);
    await recordAudit(
      tx,
      { ...tools.by, organizationId },
      {
        action: ACTIONS[change.kind],
        targetType: 'license',
        targetId: id,
        before: termsOf(presentListedLicense(before)),
        after: { ...termsOf(shown), ...reasonOf(change) },
      },
    );
    return shown;
  });
}

type LicensePlace = Parameters<typeof findLicense>[1];

async function requireLicense(tx: Queries, place: LicensePlace): Promise<ListedLicenseRow> {
  const license = await findLicense(tx, place);
  if (license === undefined) {
    throw notFound('license');
  }
  return license;
}

function requireChangeable(license: ListedLicenseRow, change: LicenseChange): void {
  const refuse = (message: string) => {
    throw httpError('conflict', message);
  };
  if (license.state === 'revoked') {
    refuse('The license has been revoked and cannot be changed.');
  }
  if (license.subscription_id !== null && (change.kind === 'extend' || change.kind === 'resize')) {
    refuse(
      `The seats and expiry of this license are set by the subscription ${license.subscription_id}. Change the subscription instead.`,
    );
  }
  if (change.kind === 'suspend' && license.state === 'suspended') {
    refuse('The license is already suspended.');
  }
  if (change.kind === 'reinstate' && license.state !== 'suspended') {
    refuse('The license is not suspended.');
  }
}

async function writeChange(tx: Queries, place: LicensePlace, change: LicenseChange): Promise<void> {
  switch (change.kind) {
    case 'extend':
      return updateLicenseExpiry(tx, { ...place, expiresAt: change.expiresAt ?? NEVER });
    case 'resize':
      return updateLicenseSeats(tx, { ...place, maxSeats: change.maxSeats });
    default:
      await updateLicenseState(tx, { ...place, state: STATES[change.kind] });
      return writeRevocation(tx, place, change.kind);
  }
}

/** Offline programs learn about it from the list of revocations. */
async function writeRevocation(
  tx: Queries,
  { organizationId, id }: LicensePlace,
  kind: 'suspend' | 'reinstate' | 'revoke',
): Promise<void> {
  const of = { organizationId, licenseId: id };
  await (kind === 'reinstate' ? deleteLicenseRevocation(tx, of) : insertLicenseRevocation(tx, of));
}

function reasonOf(change: LicenseChange): { reason?: string } {
  return 'reason' in change && change.reason !== undefined ? { reason: change.reason } : {};
}

/** The terms of a license that the operator sets. */
function termsOf({ status, max_seats, expires_at }: LicenseResource) {
  return { status, max_seats, expires_at };
}

const EVENTS = {
  suspend: LICENSE_SUSPENDED,
  reinstate: LICENSE_REINSTATED,
  revoke: LICENSE_REVOKED,
  extend: LICENSE_UPDATED,
  resize: LICENSE_UPDATED,
} as const;

const ACTIONS = {
  suspend: 'license.suspended',
  reinstate: 'license.reinstated',
  revoke: 'license.revoked',
  extend: 'license.extended',
  resize: 'license.resized',
} as const;

const STATES = { suspend: 'suspended', reinstate: 'active', revoke: 'revoked' } as const;
