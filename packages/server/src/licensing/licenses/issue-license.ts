import { recordAudit } from '../../audit/index.ts';
import type { FeatureValue } from '../../billing/index.ts';
import { notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { findClockEvenIfDeleted, lockLicenseTier, type Tier } from '../../organizations/index.ts';
import { LICENSE_CREATED } from '../events.ts';
import type { LicenseResource } from '../schemas.ts';
import { announceLicense, type LicenseChangeTools, refreshLicenseTier } from './license-change-tools.ts';
import { newLicenseKey } from './license-key.ts';
import { NEVER } from './license-rules.ts';
import { presentListedLicense } from './present-license.ts';
import { findLicense, insertLicense } from './queries.ts';

/** The terms of a new license. */
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
 * Issues a license with all its seats free, records it in the organization's audit log, and announces it. Throws not_found for
 * an unknown organization.
 */
export async function issueLicense(tools: LicenseChangeTools, terms: LicenseTerms): Promise<LicenseResource> {
  const { organizationId } = terms;
  return tools.database.transaction(async (tx) => {
    const organization = await findClockEvenIfDeleted(tx, { organizationId });
    if (organization === undefined) {
      throw notFound('organization');
    }
    const clockOffsetMs = organization.clock_offset_ms;
    await lockLicenseTier(tx, { organizationId });
    const id = newId('license');
    await insertLicense(tx, {
      ...terms,
      id,
      key: newLicenseKey(),
      expiresAt: terms.expiresAt ?? NEVER,
      heartbeatIntervalSeconds: terms.heartbeatIntervalSeconds ?? null,
      sessionTimeoutSeconds: terms.sessionTimeoutSeconds ?? null,
      clockOffsetMs,
    });
    await refreshLicenseTier(tx, organizationId);
    const license = await findLicense(tx, { organizationId, clockOffsetMs, id });
    if (license === undefined) {
      throw new Error('the license that was just issued is not there');
    }
    const shown = presentListedLicense(license);
    await announceLicense(tx, tools, { organizationId, clockOffsetMs }, LICENSE_CREATED, shown);
    const { product, max_seats, expires_at } = shown;
    await recordAudit(
      tx,
      { ...tools.by, organizationId },
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
