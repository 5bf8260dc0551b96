import { recordAudit, staffActorOf } from '../../audit/index.ts';
import { DOCUMENTED_FEATURES } from '../../billing/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import { lockLicenseTier } from '../../organizations/index.ts';
import { LICENSE_UPDATED } from '../events.ts';
import { requireFreeExternalId } from '../licenses/issue-license.ts';
import { replaceKeyAliases } from '../licenses/key-aliases.ts';
import { announceLicense } from '../licenses/license-change-tools.ts';
import { NEVER } from '../licenses/license-rules.ts';
import { presentListedLicense } from '../licenses/present-license.ts';
import { findLicenseOwner, lockLicense, updateLicenseSeats } from '../licenses/queries.ts';
import { requireProduct } from '../licenses/require-product.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { applyPolicyChange, requireConsistent, requireFitting } from './license-terms-rules.ts';
import { presentOperatorLicense } from './present-operator-license.ts';
import { findOperatorLicense, type OperatorLicenseRow, updateLicenseTerms } from './queries.ts';
import type { TermsInput } from './schemas.ts';

/**
 * Changes the terms of a license under its lock. Throws not_found; conflict for a revoked one, and for terms set by its
 * subscription; already_exists for an external_id; validation_failed for an unknown product or feature, or a policy
 * that contradicts itself. The change is recorded in the organization's audit log and announced.
 */
export async function changeOperatorLicense(
  context: AuthorizedContext,
  { outbox, settings }: LicensingTools,
  id: string,
  input: TermsInput,
): Promise<Answer<unknown>> {
  requireFitting(input);
  const row = await context.database.transaction(async (tx) => {
    const before = await lockOperatorLicense(tx, id);
    requireChangeable(before, input);
    const { organization_id: organizationId } = before;
    await writeTerms(tx, before, input);
    const after = await requireOperatorLicense(tx, id);
    requireConsistent(after, settings);
    await announceLicense(
      tx,
      { database: tx, outbox, by: staffActorOf(context, organizationId) },
      { organizationId, clockOffsetMs: after.clock_offset_ms },
      LICENSE_UPDATED,
      presentListedLicense(after),
    );
    await recordAudit(tx, staffActorOf(context, organizationId), {
      action: 'license.updated',
      targetType: 'license',
      targetId: id,
      before: termsOf(before),
      after: termsOf(after),
    });
    return after;
  });
  return { data: presentOperatorLicense(row, settings) };
}

async function lockOperatorLicense(tx: Queries, id: string): Promise<OperatorLicenseRow> {
  const owner = await findLicenseOwner(tx, { id });
  if (owner === undefined) {
    throw notFound('license');
  }
  const organizationId = owner.organization_id;
  // The organization's row first, as when a license is issued: it serializes the use of an external_id.
  await lockLicenseTier(tx, { organizationId });
  await lockLicense(tx, { organizationId, id });
  return requireOperatorLicense(tx, id);
}

/** A license of any organization. Throws not_found. */
export async function requireOperatorLicense(tx: Queries, id: string): Promise<OperatorLicenseRow> {
  const license = await findOperatorLicense(tx, { id });
  if (license === undefined) {
    throw notFound('license');
  }
  return license;
}

function requireChangeable({ state, subscription_id: subscriptionId }: OperatorLicenseRow, input: TermsInput): void {
  if (state === 'revoked') {
    throw httpError('conflict', 'The license has been revoked and cannot be changed.');
  }
  const field = SET_BY_SUBSCRIPTION.find((each) => input[each] !== undefined);
  if (subscriptionId !== null && field !== undefined) {
    throw httpError(
      'conflict',
      `The subscription ${subscriptionId} sets the ${field} of this license. Change the subscription instead.`,
    );
  }
}

const SET_BY_SUBSCRIPTION = ['max_seats', 'expires_at', 'product', 'features'] as const;

async function writeTerms(tx: Queries, before: OperatorLicenseRow, input: TermsInput): Promise<void> {
  const { organization_id: organizationId, clock_offset_ms: clockOffsetMs, id } = before;
  const { product = before.product, features = before.features, external_id: externalId = before.external_id } = input;
  if (input.product !== undefined || input.features !== undefined) {
    await requireProduct(tx, product, features);
  }
  if (externalId !== null && externalId !== before.external_id) {
    await requireFreeExternalId(tx, organizationId, externalId);
  }
  const { policy, allowedUsers } = applyPolicyChange(before.policy, before.allowed_users, input.policy ?? {});
  const nearest = { ...before.plan_policy, ...policy };
  const { heartbeat_interval, session_timeout } = input.policy ?? {};
  await updateLicenseTerms(tx, {
    organizationId,
    id,
    product,
    features: { ...Object.fromEntries(DOCUMENTED_FEATURES.map((name) => [name, false])), ...features },
    expiresAt: expiryOf(before, input.expires_at),
    externalId,
    metadata: input.metadata ?? before.metadata,
    policy,
    allowedUsers,
    heartbeatIntervalSeconds:
      heartbeat_interval === undefined ? before.heartbeat_interval_seconds : (nearest.heartbeat_interval ?? null),
    sessionTimeoutSeconds:
      session_timeout === undefined ? before.session_timeout_seconds : (nearest.session_timeout ?? null),
    clockOffsetMs,
  });
  if (input.key_aliases !== undefined) {
    await replaceKeyAliases(tx, { organizationId, licenseId: id }, input.key_aliases);
  }
  if (input.max_seats !== undefined) {
    await updateLicenseSeats(tx, { organizationId, id, maxSeats: input.max_seats, clockOffsetMs });
  }
}

function expiryOf(before: OperatorLicenseRow, wanted: string | null | undefined): string | Date {
  if (wanted !== undefined) {
    return wanted ?? NEVER;
  }
  return before.expires_at_ms === Number.POSITIVE_INFINITY ? NEVER : new Date(before.expires_at_ms);
}

/** The terms set by the operator, for the audit log. */
function termsOf(row: OperatorLicenseRow) {
  const { product, max_seats, expires_at } = presentListedLicense(row);
  const { features, external_id, key_aliases, metadata, policy, allowed_users } = row;
  return {
    product,
    max_seats,
    expires_at,
    features,
    external_id,
    key_aliases,
    metadata,
    policy: { ...policy, allowed_users },
  };
}
