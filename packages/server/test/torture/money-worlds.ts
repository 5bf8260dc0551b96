import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { anchorAt, type CouponTerms, type Period, periodAt } from '../../src/billing/money/periods.ts';
import { givenSeed, portionOf } from './scale.ts';

/**
 * Checks a property with 10,000 cases, or a million in the long run, in portions, between which the test runner gets
 * its turn. A failure prints the seed that reproduces it.
 */
export async function holds<T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): Promise<void> {
  for (let done = 0; done < portionOf(PORTION, 100 * PORTION); done += PORTION) {
    fc.assert(fc.property(arbitrary, property), {
      numRuns: PORTION,
      ...(givenSeed === undefined ? {} : { seed: givenSeed + done }),
    });
    await setImmediate();
  }
}

const PORTION = 10_000;

/** Any second of the years 2000 to 2100, in milliseconds. */
export const anchors = fc
  .integer({ min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2101, 0, 1) / 1000 - 1 })
  .map((seconds) => anchorAt(seconds * 1000));

/** A period of a subscription that may have run for a century. */
export const periods = fc.tuple(anchors, fc.integer({ min: 0, max: 1_200 })).map(([anchor, index]) => {
  return periodAt(anchor, index);
});

/** The price of a whole period, in minor units: up to ten thousand seats at up to ten million each. */
export const prices = fc
  .tuple(fc.bigInt({ min: 0n, max: 1_000_000_000n }), fc.bigInt({ min: 1n, max: 10_000n }))
  .map(([unitPrice, quantity]) => unitPrice * quantity);

/** The steps in which currencies can be charged. */
export const units = fc.constantFrom(1n, 10n, 100n);

const durations = fc.oneof(
  fc.constant({ duration: 'once' as const, duration_months: null }),
  fc.integer({ min: 1, max: 36 }).map((duration_months) => ({ duration: 'repeating' as const, duration_months })),
  fc.constant({ duration: 'forever' as const, duration_months: null }),
);

const takings = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map((percent_off) => ({ percent_off, amount_off: null })),
  fc.integer({ min: 1, max: 1_000_000_000 }).map((amount_off) => ({ percent_off: null, amount_off })),
);

export const coupons: fc.Arbitrary<CouponTerms> = fc
  .tuple(takings, durations)
  .map(([taking, duration]) => ({ ...taking, ...duration }));

/** A change of plan or quantity: the price of a whole period from then on. */
export interface Change {
  atMs: number;
  price: bigint;
}

/** A period, its price at the start, and its changes in chronological order, sometimes several at one instant. */
export interface ChangedPeriod {
  period: Period;
  price: bigint;
  changes: Change[];
}

export const changedPeriods: fc.Arbitrary<ChangedPeriod> = fc
  .tuple(
    periods,
    prices,
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), prices), { minLength: 1, maxLength: 12 }),
  )
  .map(([period, price, drawn]) => ({
    period,
    price,
    changes: drawn
      .map(([share, changed]) => ({ atMs: instantIn(period, share), price: changed }))
      .sort((a, b) => a.atMs - b.atMs),
  }));

/** An instant of a period, at any millisecond, including its start and end. */
export const instants = fc.double({ min: 0, max: 1, noNaN: true });

export function instantIn({ startMs, endMs }: Period, share: number): number {
  return startMs + Math.floor(share * (endMs - startMs));
}

/** An expectation that costs nothing while it is met, because a million cases use it. */
export function check(isMet: boolean, promise: string): void {
  if (!isMet) {
    throw new Error(`broken: ${promise}`);
  }
}
