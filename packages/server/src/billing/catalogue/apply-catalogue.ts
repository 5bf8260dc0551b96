import type { Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import { type Catalogue, CatalogueRefused } from './catalogue.ts';
import { type CatalogueChange, compareCatalogues, type KeptCatalogue } from './compare-catalogues.ts';
import { findRefusals, type Used } from './find-refusals.ts';
import {
  archiveCoupon,
  archivePlan,
  deleteMeter,
  hasPlan,
  listAllPlans,
  listCoupons,
  listMeters,
  listSoldPlans,
  lockAllPlans,
  lockCatalogue,
  lockCoupons,
  markCatalogueApplied,
  putCoupon,
  putMeter,
  putPlan,
} from './queries.ts';

/** What a catalogue is applied with. */
export interface Applying {
  /** Only says what would change; refuses as well what would be refused. */
  dryRun?: boolean;
  /** Which of these meters have records: those belong to another room. */
  listUsedMeters?(tx: Queries, names: readonly string[]): Promise<readonly string[]>;
  /** Notes what was changed, in the same transaction; not called where nothing was. */
  record?(tx: Queries, changes: readonly CatalogueChange[]): Promise<void>;
}

/**
 * Makes the catalogue what the file says, whole or not at all; answers what that changes, which is nothing the second time.
 * Throws CatalogueRefused when it would change what was sold.
 */
export async function applyCatalogue(
  database: Queries,
  catalogue: Catalogue,
  applying: Applying = {},
): Promise<CatalogueChange[]> {
  return database.transaction(async (tx) => {
    await lockCatalogue(tx);
    return applyLocked(tx, catalogue, applying);
  });
}

/** The same for a database that has never had a plan; answers whether it was one. Safe to call from many processes at once. */
export async function applyFirstCatalogue(
  database: Queries,
  readCatalogue: () => Promise<Catalogue>,
): Promise<boolean> {
  if (await hasPlan(database)) {
    return false;
  }
  const catalogue = await readCatalogue();
  return database.transaction(async (tx) => {
    await lockCatalogue(tx);
    if (await hasPlan(tx)) {
      return false;
    }
    // Meters may be there already; those that the file does not know stay, as nobody asked for their removal.
    const meters = await listMeters(tx);
    const names = new Set(meters.map((meter) => meter.name));
    const added = catalogue.meters.filter((meter) => !names.has(meter.name));
    await applyLocked(tx, { ...catalogue, meters: [...meters, ...added] }, {});
    return true;
  });
}

/** All that is sold at present, as a catalogue. */
export async function readCatalogue(database: Queries): Promise<Catalogue> {
  return database.transaction(async (tx) => {
    await lockCatalogue(tx);
    const { plans, coupons, meters } = await readKept(tx, []);
    return {
      plans: plans.filter((plan) => !plan.is_archived),
      coupons: coupons.filter((coupon) => !coupon.is_archived),
      meters,
    };
  });
}

type Kept = KeptCatalogue & { redemptions: ReadonlyMap<string, number> };

async function applyLocked(
  tx: Queries,
  catalogue: Catalogue,
  { dryRun = false, listUsedMeters, record }: Applying,
): Promise<CatalogueChange[]> {
  const codes = catalogue.coupons.map((coupon) => coupon.code);
  const kept = dryRun ? await readKept(tx, codes) : await lockKept(tx, codes);
  const changes = compareCatalogues(kept, catalogue);
  const meters = changes.filter((change) => change.kind === 'meter' && change.action !== 'added');
  const usedMeters =
    meters.length > 0
      ? await listUsedMeters?.(
          tx,
          meters.map((change) => change.key),
        )
      : [];
  const refusals = findRefusals(changes, await readUsed(tx, kept, changes, usedMeters ?? []));
  if (refusals.length > 0) {
    throw new CatalogueRefused(refusals);
  }
  if (!dryRun && changes.length > 0) {
    for (const change of changes) {
      await writeChange(tx, change, kept, catalogue);
    }
    await markCatalogueApplied(tx);
    await record?.(tx, changes);
  }
  return changes;
}

async function readKept(tx: Queries, codes: readonly string[]): Promise<Kept> {
  return keptOf(await listAllPlans(tx), await listCoupons(tx, codes), await listMeters(tx));
}

async function lockKept(tx: Queries, codes: readonly string[]): Promise<Kept> {
  return keptOf(await lockAllPlans(tx), await lockCoupons(tx, codes), await listMeters(tx));
}

function keptOf(plans: Kept['plans'], coupons: Awaited<ReturnType<typeof listCoupons>>, meters: Kept['meters']): Kept {
  return { plans, coupons, meters, redemptions: new Map(coupons.map((each) => [each.code, each.redemptions])) };
}

async function readUsed(
  tx: Queries,
  kept: Kept,
  changes: readonly CatalogueChange[],
  usedMeters: readonly string[],
): Promise<Used> {
  const changed = new Set(changes.filter((change) => change.kind === 'plan').map((change) => change.key));
  const plans = kept.plans.filter((plan) => changed.has(plan.key));
  const sold = new Set(
    await listSoldPlans(
      tx,
      plans.map((plan) => plan.id),
    ),
  );
  return {
    plans: new Set(plans.filter((plan) => sold.has(plan.id)).map((plan) => plan.key)),
    redemptions: kept.redemptions,
    meters: new Set(usedMeters),
  };
}

async function writeChange(tx: Queries, change: CatalogueChange, kept: Kept, catalogue: Catalogue): Promise<void> {
  switch (change.kind) {
    case 'plan': {
      const id = kept.plans.find((each) => each.key === change.key)?.id;
      const plan = catalogue.plans.find((each) => each.key === change.key);
      await (plan === undefined ? archivePlan(tx, id ?? '') : putPlan(tx, id ?? newId('plan'), plan));
      return;
    }
    case 'coupon': {
      const id = kept.coupons.find((each) => each.code === change.key)?.id;
      const coupon = catalogue.coupons.find((each) => each.code === change.key);
      await (coupon === undefined ? archiveCoupon(tx, id ?? '') : putCoupon(tx, id ?? newId('coupon'), coupon));
      return;
    }
    case 'meter': {
      const meter = catalogue.meters.find((each) => each.name === change.key);
      await (meter === undefined ? deleteMeter(tx, change.key) : putMeter(tx, meter));
    }
  }
}
