import type { CouponRow } from '../coupons/queries.ts';
import type { PlanRow } from '../plans/queries.ts';
import type { Product } from '../products/product.ts';

/** A plan in the catalogue. */
export type CataloguePlan = Omit<PlanRow, 'id' | 'is_archived'>;

/** A coupon in the catalogue. */
export type CatalogueCoupon = Omit<CouponRow, 'id' | 'redemptions' | 'is_archived'>;

/** A metered quantity, and how the records of a period are aggregated. */
export interface CatalogueMeter {
  name: string;
  aggregation: 'sum' | 'last' | 'max';
}

/** A product that the file describes; the others are derived from the plans. */
export type CatalogueProduct = Product & { source: 'declared' };

/** Everything that the operator sells, in stored units. */
export interface Catalogue {
  products: readonly CatalogueProduct[];
  plans: readonly CataloguePlan[];
  coupons: readonly CatalogueCoupon[];
  meters: readonly CatalogueMeter[];
}

/** A fault and its location. */
export interface CatalogueFault {
  /** The path in the file, or the part of the catalogue. */
  name: string;
  problem: string;
}

/** An invalid catalogue file: all its faults, by path. */
export class InvalidCatalogue extends Error {
  readonly code = 'validation_failed';
  readonly problems: readonly CatalogueFault[];

  constructor(problems: readonly CatalogueFault[]) {
    super(`The catalogue has ${count(problems.length, 'error')}:`);
    this.problems = problems;
  }
}

/** A valid catalogue that would change what was sold: all reasons why it cannot be applied. */
export class CatalogueRefused extends Error {
  readonly code = 'conflict';
  readonly problems: readonly CatalogueFault[];

  constructor(problems: readonly CatalogueFault[]) {
    super(
      `No changes were made, because ${count(problems.length, 'change')} ${problems.length === 1 ? 'is' : 'are'} not allowed:`,
    );
    this.problems = problems;
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/**
 * The path of the member `name` in the mapping at `path`. A name that is not a plain word is quoted and shortened: it comes
 * from the file and is printed on a terminal.
 */
export function pathIn(path: string, name: string): string {
  const shown = /^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64));
  return path === '' ? shown : `${path}.${shown}`;
}
