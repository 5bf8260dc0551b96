import type { Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import type { HeartbeatDefaults } from '../products/policy-rules.ts';
import { listAllProducts, lockProducts, upsertProducts } from '../products/queries.ts';
import { type Catalogue, CatalogueRefused, InvalidCatalogue } from './catalogue.ts';
import {
  type CatalogueChange,
  compareCatalogues,
  type StoredCatalogue,
  type WantedCatalogue,
} from './compare-catalogues.ts';
import { featuresTakenBy, findRefusals, type Used } from './find-refusals.ts';
import {
  deleteMeter,
  findAnyPlan,
  listAllPlans,
  listCoupons,
  listMeters,
  listSoldPlans,
  lockAllPlans,
  lockCatalogue,
  lockCoupons,
  updateAppliedAt,
  updateCouponArchived,
  updatePlanArchived,
  upsertCoupons,
  upsertMeter,
  upsertPlans,
} from './queries.ts';
import { findShortTimeouts, findUnknownFeatures, listWantedProducts } from './wanted-products.ts';

/** How a catalogue is applied. */
export interface ApplyOptions {
  /** Only returns what would change, and refuses what applying would refuse. */
  dryRun?: boolean;
  /** Which of these meters have records. Another room owns them. */
  listUsedMeters?(tx: Queries, names: readonly string[]): Promise<readonly string[]>;
  /** Which of these features the product's licenses have. Another room owns them. */
  listUsedFeatures?(tx: Queries, product: string, features: readonly string[]): Promise<readonly string[]>;
  /** The heartbeat settings of licenses whose policy sets none. Without it, policies are not compared with them. */
  heartbeats?: HeartbeatDefaults;
  /** Records the changes in the same transaction; not called if there are none. */
  record?(tx: Queries, changes: readonly CatalogueChange[]): Promise<void>;
}

/**
 * Makes the catalogue match the file, entirely or not at all, and returns what changed. Applying it again changes
 * nothing. Throws CatalogueRefused if it would change what was sold.
 */
export async function applyCatalogue(
  database: Queries,
  catalogue: Catalogue,
  options: ApplyOptions = {},
): Promise<CatalogueChange[]> {
  return database.transaction(async (tx) => {
    await lockCatalogue(tx);
    return applyLocked(tx, catalogue, options);
  });
}

/**
 * The same for a database that has never had a plan. Returns whether the catalogue was applied. Safe to call from many
 * processes at the same time.
 */
export async function applyFirstCatalogue(
  database: Queries,
  loadCatalogue: () => Promise<Catalogue>,
): Promise<boolean> {
  if ((await findAnyPlan(database)) !== undefined) {
    return false;
  }
  const catalogue = await loadCatalogue();
  return database.transaction(async (tx) => {
    await lockCatalogue(tx);
    if ((await findAnyPlan(tx)) !== undefined) {
      return false;
    }
    // There may already be meters. Those that the file does not name stay, because no one asked to remove them.
    const meters = await listMeters(tx);
    const names = new Set(meters.map((meter) => meter.name));
    const added = catalogue.meters.filter((meter) => !names.has(meter.name));
    await applyLocked(tx, { ...catalogue, meters: [...meters, ...added] }, {});
    return true;
  });
}

type Stored = StoredCatalogue & { redemptions: ReadonlyMap<string, number> };

async function applyLocked(tx: Queries, catalogue: Catalogue, options: ApplyOptions): Promise<CatalogueChange[]> {
  const { dryRun = false, heartbeats, record } = options;
  const codes = catalogue.coupons.map((coupon) => coupon.code);
  const stored = dryRun ? await loadStored(tx, codes) : await lockStored(tx, codes);
  const wanted = { ...catalogue, products: listWantedProducts(stored.products, catalogue) };
  const faults = [
    ...findUnknownFeatures(wanted.products, catalogue),
    ...(heartbeats === undefined ? [] : findShortTimeouts(wanted.products, catalogue, heartbeats)),
  ];
  if (faults.length > 0) {
    throw new InvalidCatalogue(faults);
  }
  const changes = compareCatalogues(stored, wanted);
  const refusals = findRefusals(changes, await loadUsed(tx, stored, changes, options));
  if (refusals.length > 0) {
    throw new CatalogueRefused(refusals);
  }
  if (!dryRun && changes.length > 0) {
    for (const change of changes) {
      await writeChange(tx, change, stored, wanted);
    }
    await updateAppliedAt(tx);
    await record?.(tx, changes);
  }
  return changes;
}

async function loadStored(tx: Queries, codes: readonly string[]): Promise<Stored> {
  return storedOf(
    await listAllProducts(tx),
    await listAllPlans(tx),
    await listCoupons(tx, { codes }),
    await listMeters(tx),
  );
}

async function lockStored(tx: Queries, codes: readonly string[]): Promise<Stored> {
  await lockProducts(tx);
  return storedOf(
    await listAllProducts(tx),
    await lockAllPlans(tx),
    await lockCoupons(tx, { codes }),
    await listMeters(tx),
  );
}

function storedOf(
  products: Stored['products'],
  plans: Stored['plans'],
  coupons: Awaited<ReturnType<typeof listCoupons>>,
  meters: Stored['meters'],
): Stored {
  return {
    products,
    plans,
    coupons,
    meters,
    redemptions: new Map(coupons.map((each) => [each.code, each.redemptions])),
  };
}

async function loadUsed(
  tx: Queries,
  stored: Stored,
  changes: readonly CatalogueChange[],
  { listUsedMeters, listUsedFeatures }: ApplyOptions,
): Promise<Used> {
  const meters = keysOf(changes, 'meter', ({ action }) => action !== 'added');
  const usedMeters = meters.length > 0 ? await listUsedMeters?.(tx, meters) : [];
  const features = new Map<string, ReadonlySet<string>>();
  for (const change of changes.filter(({ kind }) => kind === 'product')) {
    const taken = featuresTakenBy(change);
    const used = taken.length > 0 ? await listUsedFeatures?.(tx, change.key, taken) : [];
    features.set(change.key, new Set(used));
  }
  const changed = new Set(changes.filter((change) => change.kind === 'plan').map((change) => change.key));
  const plans = stored.plans.filter((plan) => changed.has(plan.key));
  const sold = await listSoldPlans(tx, { planIds: plans.map((plan) => plan.id) });
  const soldIds = new Set(sold.map((plan) => plan.id));
  return {
    plans: new Set(plans.filter((plan) => soldIds.has(plan.id)).map((plan) => plan.key)),
    redemptions: stored.redemptions,
    meters: new Set(usedMeters),
    features,
  };
}

function keysOf(
  changes: readonly CatalogueChange[],
  kind: CatalogueChange['kind'],
  isOne: (change: CatalogueChange) => boolean,
): string[] {
  return changes.filter((change) => change.kind === kind && isOne(change)).map((change) => change.key);
}

async function writeChange(
  tx: Queries,
  { kind, key }: CatalogueChange,
  stored: Stored,
  catalogue: WantedCatalogue,
): Promise<void> {
  switch (kind) {
    case 'product':
      return upsertProducts(tx, { product: catalogue.products.filter((each) => each.key === key) });
    case 'plan': {
      const id = stored.plans.find((each) => each.key === key)?.id;
      const plan = catalogue.plans.find((each) => each.key === key);
      await (plan === undefined
        ? updatePlanArchived(tx, { id: id ?? '' })
        : upsertPlans(tx, { plan: [{ ...plan, id: id ?? newId('plan') }] }));
      return;
    }
    case 'coupon': {
      const id = stored.coupons.find((each) => each.code === key)?.id;
      const coupon = catalogue.coupons.find((each) => each.code === key);
      await (coupon === undefined
        ? updateCouponArchived(tx, { id: id ?? '' })
        : upsertCoupons(tx, { coupon: [{ ...coupon, id: id ?? newId('coupon') }] }));
      return;
    }
    case 'meter': {
      const meter = catalogue.meters.find((each) => each.name === key);
      await (meter === undefined ? deleteMeter(tx, { name: key }) : upsertMeter(tx, meter));
    }
  }
}
