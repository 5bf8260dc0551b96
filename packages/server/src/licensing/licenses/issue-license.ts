import { recordAudit } from '../../audit/index.ts';
import type { FeatureValue, PolicyOverrides } from '../../billing/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError, notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { findClockEvenIfDeleted, lockLicenseTier, type Tier } from '../../organizations/index.ts';
import { LICENSE_CREATED } from '../events.ts';
import type { LicenseResource } from '../schemas.ts';
import { replaceKeyAliases } from './key-aliases.ts';
import { announceLicense, type LicenseChangeTools, refreshLicenseTier } from './license-change-tools.ts';
import { newLicenseKey } from './license-key.ts';
import { NEVER } from './license-rules.ts';
import { presentListedLicense } from './present-license.ts';
import { findLicense, findLicenseByExternalId, insertLicense } from './queries.ts';
import { requireOrDeriveProduct, requireProduct } from './require-product.ts';

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
  /** The policy set on the license itself, besides the two above. */
  policy?: PolicyOverrides;
  /** The IDs of the users who may take its seats; null for every member. */
  allowedUsers?: readonly string[] | null;
  /** Refuses an unknown product, and features that it does not have, even if the product is not declared. */
  requiresProduct?: boolean;
  /** Keys of another system that also lead to the license. */
  keyAliases?: readonly string[];
  externalId?: string | null;
  metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Issues a license with all its seats free, records it in the organization's audit log, and announces it. Throws
 * not_found for an unknown organization, and validation_failed for features that the declared product does not have.
 * `isNewProduct`: the product is not declared, and this is its first license.
 */
export async function issueLicense(tools: LicenseChangeTools, terms: LicenseTerms): Promise<IssuedLicense> {
  const { organizationId } = terms;
  const policy = policyOf(terms);
  return tools.database.transaction(async (tx) => {
    const organization = await findClockEvenIfDeleted(tx, { organizationId });
    if (organization === undefined) {
      throw notFound('organization');
    }
    const clockOffsetMs = organization.clock_offset_ms;
    const isNew = await checkProduct(tx, terms);
    await lockLicenseTier(tx, { organizationId });
    if (typeof terms.externalId === 'string') {
      await requireFreeExternalId(tx, organizationId, terms.externalId);
    }
    const id = newId('license');
    await insertLicense(tx, {
      ...terms,
      id,
      key: newLicenseKey(),
      expiresAt: terms.expiresAt ?? NEVER,
      policy,
      heartbeatIntervalSeconds: policy.heartbeat_interval ?? null,
      sessionTimeoutSeconds: policy.session_timeout ?? null,
      allowedUsers: terms.allowedUsers ?? null,
      externalId: terms.externalId ?? null,
      metadata: terms.metadata ?? {},
      clockOffsetMs,
    });
    await addKeyAliases(tx, organizationId, id, terms.keyAliases);
    await refreshLicenseTier(tx, organizationId);
    const license = await findLicense(tx, { organizationId, clockOffsetMs, id });
    if (license === undefined) {
      throw new Error('the license that was just issued is missing');
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
    return { license: shown, isNewProduct: isNew };
  });
}

async function addKeyAliases(
  tx: Queries,
  organizationId: string,
  licenseId: string,
  aliases: readonly string[] = [],
): Promise<void> {
  if (aliases.length > 0) {
    await replaceKeyAliases(tx, { organizationId, licenseId }, aliases);
  }
}

/** An issued license. */
export interface IssuedLicense {
  license: LicenseResource;
  isNewProduct: boolean;
}

async function checkProduct(tx: Queries, { product, features, requiresProduct }: LicenseTerms): Promise<boolean> {
  if (requiresProduct === true) {
    await requireProduct(tx, product, features);
    return false;
  }
  return (await requireOrDeriveProduct(tx, product, features)).isNew;
}

/** Throws already_exists if another license of the organization has this external_id. */
export async function requireFreeExternalId(tx: Queries, organizationId: string, externalId: string): Promise<void> {
  if ((await findLicenseByExternalId(tx, { organizationId, externalId })) !== undefined) {
    throw httpError('already_exists', 'Another license of the organization has this external_id.', {
      details: { field: 'external_id' },
    });
  }
}

function policyOf({ policy = {}, heartbeatIntervalSeconds, sessionTimeoutSeconds }: LicenseTerms): PolicyOverrides {
  return {
    ...policy,
    ...(heartbeatIntervalSeconds === undefined ? {} : { heartbeat_interval: heartbeatIntervalSeconds }),
    ...(sessionTimeoutSeconds === undefined ? {} : { session_timeout: sessionTimeoutSeconds }),
  };
}
