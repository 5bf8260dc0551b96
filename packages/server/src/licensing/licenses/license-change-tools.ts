import type { AuditActor } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Happening, type Outbox } from '../../events/index.ts';
import { updateLicenseTier } from '../../organizations/index.ts';
import type { LICENSE_CREATED } from '../events.ts';
import type { LicenseResource } from '../schemas.ts';
import { findBestLicenseTier } from './queries.ts';

/** The dependencies of issuing and changing licenses, and the actor for the audit log. */
export interface LicenseChangeTools {
  database: Queries;
  outbox: Pick<Outbox, 'announce'>;
  by: Omit<AuditActor, 'organizationId'>;
}

/** Announces a license change. */
export async function announceLicense(
  tx: Queries,
  { outbox }: LicenseChangeTools,
  { organizationId, clockOffsetMs }: Happening,
  event: typeof LICENSE_CREATED,
  license: LicenseResource,
): Promise<void> {
  await outbox.announce(tx, organizationId, clockOffsetMs, [
    announcement(event, { ...license, license_id: license.id }),
  ]);
}

/**
 * Gives an organization the tier of its best license. The caller locked the tier before writing a license, so that of
 * two changes, the second one to commit sees the first.
 */
export async function refreshLicenseTier(tx: Queries, organizationId: string): Promise<void> {
  const best = await findBestLicenseTier(tx, { organizationId });
  await updateLicenseTier(tx, { organizationId, tier: best?.tier ?? null });
}
