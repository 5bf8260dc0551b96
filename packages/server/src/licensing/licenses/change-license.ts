import type { Queries } from '../../database/index.ts';
import { httpError, notFound } from '../../http/index.ts';
import { lockLicenseTier } from '../../organizations/index.ts';
import type { LicenseResource } from '../schemas.ts';
import { NEVER } from './license-rules.ts';
import { presentLicense } from './present-license.ts';
import {
  FIND_CLOCK_OFFSET,
  FIND_LICENSE_OWNER,
  findLicense,
  type ListedLicenseRow,
  LOCK_LICENSE,
  UPDATE_LICENSE_EXPIRY,
  UPDATE_LICENSE_SEATS,
  UPDATE_LICENSE_STATE,
} from './queries.ts';
import { settleLicenseTier } from './settle-license-tier.ts';

/** What the operator can do to a license. Times are ISO 8601; null makes it perpetual. */
export type LicenseChange =
  | { kind: 'suspend' | 'reinstate' | 'revoke' }
  | { kind: 'extend'; expiresAt: string | null }
  | { kind: 'resize'; maxSeats: number };

/**
 * Changes a license under its lock: no seat is taken or ended meanwhile. Refused with not_found, or with conflict when its
 * state does not allow it: a revoked license stays revoked, and the seats and the expiry of one that a subscription pays for
 * are the subscription's.
 */
export async function changeLicense(database: Queries, id: string, change: LicenseChange): Promise<LicenseResource> {
  return database.transaction(async (tx) => {
    const [owner] = await tx.query(FIND_LICENSE_OWNER, [id]);
    if (owner === undefined) {
      throw notFound('license');
    }
    const organizationId = owner.organization_id;
    if (change.kind === 'revoke') {
      await lockLicenseTier(tx, organizationId);
    }
    await tx.query(LOCK_LICENSE, [organizationId, id]);
    const [organization] = await tx.query(FIND_CLOCK_OFFSET, [organizationId]);
    const offset = organization?.clock_offset_ms ?? 0;
    const before = await readLicense(tx, organizationId, offset, id);
    requireChangeable(before, change);
    await writeChange(tx, organizationId, offset, id, change);
    if (change.kind === 'revoke') {
      await settleLicenseTier(tx, organizationId);
    }
    const after = await readLicense(tx, organizationId, offset, id);
    return presentLicense(after, after.active_seats, after.now_ms);
  });
}

async function readLicense(tx: Queries, organizationId: string, offset: number, id: string): Promise<ListedLicenseRow> {
  const [license] = await tx.run(findLicense(organizationId, offset, id));
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
    refuse('The license is revoked, which is final.');
  }
  if (license.subscription_id !== null && (change.kind === 'extend' || change.kind === 'resize')) {
    refuse(`The subscription ${license.subscription_id} decides the seats and the expiry of this license.`);
  }
  if (change.kind === 'suspend' && license.state === 'suspended') {
    refuse('The license is suspended already.');
  }
  if (change.kind === 'reinstate' && license.state !== 'suspended') {
    refuse('The license is not suspended.');
  }
}

async function writeChange(
  tx: Queries,
  organizationId: string,
  offset: number,
  id: string,
  change: LicenseChange,
): Promise<void> {
  const place = [organizationId, id];
  switch (change.kind) {
    case 'extend':
      await tx.query(UPDATE_LICENSE_EXPIRY, [...place, change.expiresAt ?? NEVER, offset]);
      return;
    case 'resize':
      await tx.query(UPDATE_LICENSE_SEATS, [...place, change.maxSeats, offset]);
      return;
    default:
      await tx.query(UPDATE_LICENSE_STATE, [...place, STATES[change.kind], offset]);
  }
}

const STATES = { suspend: 'suspended', reinstate: 'active', revoke: 'revoked' } as const;
