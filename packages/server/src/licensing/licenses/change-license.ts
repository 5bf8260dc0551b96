import { recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError, notFound } from '../../http/index.ts';
import { lockLicenseTier } from '../../organizations/index.ts';
import { LICENSE_REINSTATED, LICENSE_REVOKED, LICENSE_SUSPENDED, LICENSE_UPDATED } from '../events.ts';
import type { LicenseResource } from '../schemas.ts';
import { announceLicense, type LicenseDesk } from './license-desk.ts';
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
 * are the subscription's. The change is recorded in the organization's audit log and creates an event.
 */
export async function changeLicense(desk: LicenseDesk, id: string, change: LicenseChange): Promise<LicenseResource> {
  return desk.database.transaction(async (tx) => {
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
    const shown = presentLicense(after, after.active_seats, after.now_ms);
    await announceLicense(desk, tx, { organizationId, clockOffsetMs: offset }, EVENTS[change.kind], shown);
    await recordAudit(
      tx,
      { ...desk.by, organizationId },
      {
        action: ACTIONS[change.kind],
        targetType: 'license',
        targetId: id,
        before: termsOf(presentLicense(before, before.active_seats, before.now_ms)),
        after: termsOf(shown),
      },
    );
    return shown;
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

/** What the operator decides of a license. */
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
