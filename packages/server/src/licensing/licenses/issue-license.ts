import { recordAudit } from '../../audit/index.ts';
import type { FeatureValue } from '../../billing/index.ts';
import { notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { lockLicenseTier, type Tier } from '../../organizations/index.ts';
import { LICENSE_CREATED } from '../events.ts';
import type { LicenseResource } from '../schemas.ts';
import { announceLicense, type LicenseDesk } from './license-desk.ts';
import { newLicenseKey } from './license-key.ts';
import { NEVER } from './license-rules.ts';
import { presentLicense } from './present-license.ts';
import { FIND_CLOCK_OFFSET, findLicense, INSERT_LICENSE } from './queries.ts';
import { settleLicenseTier } from './settle-license-tier.ts';

/** What a new license is to be. */
export interface LicenseTerms {
  organizationId: string;
  product: string;
  /** 1 to 100,000. */
  maxSeats: number;
  features: Readonly<Record<string, FeatureValue>>;
  /** ISO 8601; null for a perpetual license. */
  expiresAt: string | null;
  /** The rate-limit tier of an organization without a subscription or a better license. */
  tier: Tier;
  heartbeatIntervalSeconds: number | undefined;
  sessionTimeoutSeconds: number | undefined;
}

/**
 * Issues a license with all its seats free. It is recorded in the organization's audit log and creates an event. Throws
 * not_found for an unknown organization.
 */
export async function issueLicense(desk: LicenseDesk, terms: LicenseTerms): Promise<LicenseResource> {
  return desk.database.transaction(async (tx) => {
    const [organization] = await tx.query(FIND_CLOCK_OFFSET, [terms.organizationId]);
    if (organization === undefined) {
      throw notFound('organization');
    }
    await lockLicenseTier(tx, terms.organizationId);
    const id = newId('license');
    await tx.query(INSERT_LICENSE, [
      terms.organizationId,
      id,
      newLicenseKey(),
      terms.product,
      terms.maxSeats,
      JSON.stringify(terms.features),
      terms.expiresAt ?? NEVER,
      terms.heartbeatIntervalSeconds ?? null,
      terms.sessionTimeoutSeconds ?? null,
      organization.clock_offset_ms,
      terms.tier,
    ]);
    await settleLicenseTier(tx, terms.organizationId);
    const [license] = await tx.run(findLicense(terms.organizationId, organization.clock_offset_ms, id));
    if (license === undefined) {
      throw new Error('the license that was just issued is not there');
    }
    const shown = presentLicense(license, license.active_seats, license.now_ms);
    const { organizationId } = terms;
    const happening = { organizationId, clockOffsetMs: organization.clock_offset_ms };
    await announceLicense(desk, tx, happening, LICENSE_CREATED, shown);
    const { product, max_seats, expires_at } = shown;
    await recordAudit(
      tx,
      { ...desk.by, organizationId },
      {
        action: 'license.issued',
        targetType: 'license',
        targetId: id,
        after: { product, max_seats, expires_at, features: terms.features },
      },
    );
    return shown;
  });
}
