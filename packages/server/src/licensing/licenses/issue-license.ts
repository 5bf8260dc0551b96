import type { FeatureValue } from '../../billing/index.ts';
import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { lockLicenseTier, type Tier } from '../../organizations/index.ts';
import type { LicenseResource } from '../schemas.ts';
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
  /** The rate limits of an organization that has no subscription, and no better license. */
  tier: Tier;
  heartbeatIntervalSeconds: number | undefined;
  sessionTimeoutSeconds: number | undefined;
}

/** Issues a license with all its seats free. Throws not_found for an unknown organization. */
export async function issueLicense(database: Queries, terms: LicenseTerms): Promise<LicenseResource> {
  return database.transaction(async (tx) => {
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
    return presentLicense(license, license.active_seats, license.now_ms);
  });
}
