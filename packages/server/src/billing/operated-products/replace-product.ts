import { isDeepStrictEqual } from 'node:util';
import { INSTALLATION, recordAudit, staffActorOf } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, httpError, invalidRequest } from '../../http/index.ts';
import { listAllPlans, lockCatalogue } from '../catalogue/queries.ts';
import type { CatalogueTools } from '../catalogue/replace-catalogue.ts';
import { heartbeatsOf } from '../catalogue/wanted-products.ts';
import { findHeartbeatFaults, findPolicyFaults, type HeartbeatDefaults } from '../products/policy-rules.ts';
import type { Product as ProductTerms } from '../products/product.ts';
import { DOCUMENTED_FEATURES, findFeatureFaults, listTakenFeatures } from '../products/product-rules.ts';
import { findStoredProduct, insertDerivedProduct, lockProduct, upsertProducts } from '../products/queries.ts';
import { presentProduct } from './present-product.ts';
import { isProductKey, type Product, type ProductInput } from './schemas.ts';

/**
 * Declares a new or existing product; an existing one keeps its policy if none is given. Throws validation_failed if it
 * contradicts itself, and conflict if its licenses or plans have a feature that it would lose or whose type would
 * change.
 */
export async function replaceProduct(
  context: AuthorizedContext,
  { listUsedFeatures, heartbeats }: Pick<CatalogueTools, 'listUsedFeatures' | 'heartbeats'>,
  key: string,
  input: ProductInput,
): Promise<Answer<Product>> {
  if (!isProductKey(key)) {
    throw invalidRequest('key', 'format', 'The key must be one line of 1 to 100 characters, without spaces around it.');
  }
  requireSound(input, heartbeats);
  return context.database.transaction(async (tx) => {
    // Plans are added and removed only under this lock, and licenses are issued only while the product's row is not
    // locked.
    await lockCatalogue(tx);
    const stored = await findStoredProduct(tx, { key });
    if (stored === undefined) {
      await insertDerivedProduct(tx, { key, features: {} });
    }
    const before = await lockProduct(tx, { key });
    const after = termsOf(key, input, before);
    await requireUnused(tx, before, after, listUsedFeatures);
    await requireFittingPlans(tx, input, after, heartbeats);
    if (stored === undefined || !isDeepStrictEqual(before, after)) {
      await upsertProducts(tx, { product: [after] });
      await recordAudit(tx, staffActorOf(context, INSTALLATION), {
        action: stored === undefined ? 'product.created' : 'product.changed',
        targetType: 'product',
        targetId: key,
        ...(stored === undefined || before === undefined ? {} : { before: shownOf(before) }),
        after: shownOf(after),
      });
    }
    const written = await findStoredProduct(tx, { key });
    if (written === undefined) {
      throw new Error(`the product ${key} is gone in the transaction that wrote it`);
    }
    return { data: presentProduct(written) };
  });
}

function termsOf(
  key: string,
  { name, features, policy }: ProductInput,
  before: ProductTerms | undefined,
): ProductTerms {
  const named = Object.entries(features).map(([feature, { type, name: shown = feature }]) => {
    return [feature, { type, name: shown }] as const;
  });
  const kept = policy ?? before?.policy ?? {};
  return { key, name, features: Object.fromEntries(named), policy: kept, source: 'declared' };
}

function requireSound({ features, policy }: ProductInput, heartbeats: HeartbeatDefaults): void {
  const mistyped = DOCUMENTED_FEATURES.find((feature) => (features[feature]?.type ?? 'boolean') !== 'boolean');
  if (mistyped !== undefined) {
    const field = `features.${mistyped}.type`;
    throw httpError('validation_failed', `${field} must be boolean, because every license has this feature.`, {
      details: { field, reason: 'type' },
    });
  }
  const faults =
    policy === undefined ? [] : [...findPolicyFaults(policy), ...findHeartbeatFaults([policy], heartbeats)];
  const [fault] = faults;
  if (fault !== undefined) {
    const field = `policy.${fault.field}`;
    throw httpError('validation_failed', `${field} ${fault.problem}.`, { details: { field, reason: 'conflict' } });
  }
}

/** Sold features must stay defined: a license with a feature that its product does not have could not be changed. */
async function requireUnused(
  tx: Queries,
  before: ProductTerms | undefined,
  after: ProductTerms,
  listUsedFeatures: CatalogueTools['listUsedFeatures'],
): Promise<void> {
  const taken = listTakenFeatures(before, after);
  const used = taken.length === 0 ? [] : await listUsedFeatures(tx, after.key, taken);
  if (used.length > 0) {
    throw httpError(
      'conflict',
      `Licenses of ${after.key} have ${used.join(', ')}. Keep each of these features with its type, or change the licenses first.`,
    );
  }
  const plans = (await listAllPlans(tx)).filter((plan) => plan.product === after.key && !plan.is_archived);
  const faults = plans.flatMap(({ key, license_features: features }) =>
    findFeatureFaults(after, features).map(({ feature }) => `${key} (${feature})`),
  );
  if (faults.length > 0) {
    throw httpError(
      'conflict',
      `Plans on sale give their licenses features that ${after.key} would not have, or with another type: ${faults.join(', ')}. Change the plans in the catalogue first.`,
    );
  }
}

/** A plan that sets one of the two inherits the other one from its product. */
async function requireFittingPlans(
  tx: Queries,
  { policy }: ProductInput,
  after: ProductTerms,
  heartbeats: HeartbeatDefaults,
): Promise<void> {
  if (policy === undefined) {
    return;
  }
  const plans = (await listAllPlans(tx)).filter((plan) => plan.product === after.key && !plan.is_archived);
  const faults = plans.flatMap((plan) =>
    findHeartbeatFaults([policy, heartbeatsOf(plan)], heartbeats).map(
      ({ field, problem }) => `${plan.key} (${field} ${problem})`,
    ),
  );
  if (faults.length > 0) {
    throw httpError(
      'conflict',
      `With this policy, plans on sale would contradict themselves: ${faults.join(', ')}. Change the plans in the catalogue first.`,
    );
  }
}

const shownOf = ({ name, features, policy, source }: ProductTerms) => ({ name, features, policy, source });
