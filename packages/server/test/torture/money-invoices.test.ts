import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChargeTerms,
  draftChangeInvoice,
  draftPeriodInvoice,
  type InvoiceDraft,
} from '../../src/billing/ledger/draft-invoice.ts';
import { accrualOf, periodPriceOf, startNextPeriod } from '../../src/billing/ledger/subscription-rules.ts';
import type { SubscriptionState } from '../../src/billing/ledger/subscription-state.ts';
import { chargeUnitOf } from '../../src/billing/money/amounts.ts';
import { accrueWholePeriod, type Period, prorateChange } from '../../src/billing/money/periods.ts';
import type { AppliedCoupon } from '../../src/billing/schemas.ts';
import { SOLD_SUBSCRIPTION } from '../harness/sold-subscription.ts';
import { check, coupons, holds, instantIn, instants, periods } from './money-worlds.ts';

const seatPrices = fc.integer({ min: 0, max: 1_000_000_000 });
const quantities = fc.integer({ min: 1, max: 10_000 });
const credits = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000_000_000_000 }));
const appliedCoupons: fc.Arbitrary<AppliedCoupon | null> = fc.option(
  coupons.map((terms) => ({
    ...terms,
    id: 'coupon_1',
    code: 'WELCOME',
    currency: terms.amount_off === null ? null : 'usd',
  })),
);

const subscriptions = fc
  .tuple(periods, seatPrices, quantities, appliedCoupons)
  .map(([period, price, quantity, coupon]) => subscriptionWith(period, price, quantity, coupon));

/** In currencies that are charged in steps, at prices that the catalogue accepts. */
const steppedSubscriptions = fc
  .tuple(subscriptions, fc.constantFrom('usd', 'jpy', 'isk', 'bhd', 'jod', 'kwd', 'omr', 'tnd', 'mga'))
  .map(([subscription, currency]) => {
    const { plan } = subscription;
    const unit = chargeUnitOf(currency);
    return { ...subscription, plan: { ...plan, currency, price: Math.floor(plan.price / unit) * unit } };
  });

const minima = fc.constantFrom(1, 30, 50, 17_500);
const rests = fc.bigInt({ min: 0n, max: 49n });

describe('an invoice', () => {
  it('for a period has lines that multiply out and add up to the subtotal, and never a negative amount due', () =>
    holds(fc.tuple(subscriptions, credits, minima, rests), ([subscription, credit, minAmount, rest]) => {
      const { plan, quantity, coupon, periodIndex } = subscription;
      const price = periodPriceOf(plan, quantity, coupon, periodIndex);
      const terms = { credit, minAmount };
      const invoice = draftPeriodInvoice('inv_1', 'renewal', subscription, price, terms, {
        amount: rest,
        fromMs: subscription.periodStartMs,
      });
      requireSound(invoice, credit);
      check(
        invoice.subtotal === plan.price * quantity + Number(rest),
        'the subtotal is seats times price plus the rest',
      );
      requireCreditUsed(invoice, terms);
      check(
        invoice.lines[0]?.quantity === quantity && invoice.lines[0]?.unit_amount === plan.price,
        'the quantity and price that were sold',
      );
    }));

  it('for a change has one line of quantity one, and never uses more credit than its total', () =>
    holds(
      fc.tuple(subscriptions, instants, quantities, fc.bigInt({ min: 1n, max: 10_000_000_000_000n }), credits, minima),
      ([subscription, share, quantity, amount, credit, minAmount]) => {
        const atMs = instantIn(
          { index: 0, startMs: subscription.periodStartMs, endMs: subscription.periodEndMs },
          share,
        );
        const after = { quantity, planName: subscription.plan.name };
        const terms = { credit, minAmount };
        const invoice = draftChangeInvoice('inv_1', subscription, after, atMs, amount, terms);
        requireSound(invoice, credit);
        requireCreditUsed(invoice, terms);
        check(invoice.subtotal === Number(amount) && invoice.discount === 0, 'the cost of the change');
        check(invoice.lines[0]?.quantity === 1, 'a line of quantity one');
      },
    ));

  it('has an amount due that can be charged in its currency, with any coupon and credit', () =>
    holds(fc.tuple(steppedSubscriptions, credits, instants, quantities), ([subscription, credit, share, seats]) => {
      const { plan, quantity, coupon, periodIndex } = subscription;
      const unit = chargeUnitOf(plan.currency);
      const terms = { credit, minAmount: 50 * unit };
      const price = periodPriceOf(plan, quantity, coupon, periodIndex);
      const whole = draftPeriodInvoice('inv_1', 'renewal', subscription, price, terms);
      requireSound(whole, credit);
      check(whole.amountDue % unit === 0 && whole.discount % unit === 0, 'a period can be charged');
      check(whole.lines[0]?.unit_amount === plan.price, 'the price that it was sold for');
      const accrual = { ...accrualOf(subscription), ...accrueWholePeriod(periodOf(subscription), price.total) };
      const after = periodPriceOf(plan, seats, coupon, periodIndex);
      const { startMs, endMs } = periodOf(subscription);
      const atMs = instantIn({ index: 0, startMs, endMs }, share);
      const { amount } = prorateChange(accrual, atMs, price.total, after.total);
      check(amount % BigInt(unit) === 0n, 'a change’s cost or credit can be charged');
      if (amount > 0n) {
        const more = { quantity: seats, planName: plan.name };
        const rest = draftChangeInvoice('inv_2', subscription, more, atMs, amount, terms);
        requireSound(rest, credit);
        check(rest.amountDue % unit === 0, 'a change can be charged');
      }
    }));

  it('for the next period starts where this one ends, and its accrual contains what it bills', () =>
    holds(subscriptions, (subscription) => {
      const { next, price } = startNextPeriod({
        ...subscription,
        anchorMs: subscription.periodStartMs,
        periodIndex: 0,
      });
      check(next.billed === price.total && next.periodIndex === 1, 'billed in advance as a whole');
      check(
        next.accrued === price.total * BigInt((next.periodEndMs - next.periodStartMs) / 1000),
        'accrued as a whole',
      );
    }));

  it('shows no coupon and no credit of zero', () => {
    const subscription = subscriptionWith(PERIOD, 2_900, 5, null);
    const invoice = draftPeriodInvoice('inv_1', 'create', subscription, periodPriceOf(subscription.plan, 5, null, 0), {
      credit: 0,
      minAmount: 50,
    });
    expect(invoice.lines).toHaveLength(1);
    expect(invoice.amountDue).toBe(14_500);
  });
});

function periodOf({ periodStartMs: startMs, periodEndMs: endMs }: SubscriptionState) {
  return { startMs, endMs };
}

const PERIOD: Period = { index: 0, startMs: 1_769_860_800_000, endMs: 1_772_280_000_000 };

/** Each figure agrees with all others, in integers that JSON represents exactly. */
function requireSound(invoice: InvoiceDraft, credit: number): void {
  const { subtotal, discount, tax, total, creditApplied, amountDue, lines } = invoice;
  check(
    lines.every((line) => line.amount === line.quantity * line.unit_amount),
    'lines multiply out',
  );
  check(lines.reduce((sum, line) => sum + line.amount, 0) === subtotal, 'lines add up to the subtotal');
  check(subtotal - discount + tax === total && total - creditApplied === amountDue, 'the totals agree');
  check(
    lines.every((line) => line.amount >= 0),
    'neither discount nor credit is a line',
  );
  check(discount >= 0 && discount <= subtotal, 'the discount does not exceed the subtotal');
  check(creditApplied >= 0 && creditApplied <= credit, 'no more credit than available');
  check(amountDue >= 0, 'the amount due is not negative');
  check([subtotal, discount, tax, total, creditApplied, amountDue].every(Number.isSafeInteger), 'exact integers');
}

/**
 * Either all of the credit is used, or enough to leave the smallest chargeable amount. A smaller total is left as it
 * is.
 */
function requireCreditUsed({ subtotal, discount, creditApplied, amountDue }: InvoiceDraft, terms: ChargeTerms): void {
  const total = subtotal - discount;
  const isUsedUp = creditApplied === Math.min(terms.credit, total);
  const isHeldBack = amountDue === terms.minAmount && total - Math.min(terms.credit, total) < terms.minAmount;
  check(isUsedUp || isHeldBack, 'credit is used first');
  check(amountDue === 0 || amountDue >= terms.minAmount || total < terms.minAmount, 'the amount due can be charged');
}

function subscriptionWith(
  { index, startMs, endMs }: Period,
  price: number,
  quantity: number,
  coupon: AppliedCoupon | null,
): SubscriptionState {
  return {
    ...SOLD_SUBSCRIPTION,
    plan: { ...SOLD_SUBSCRIPTION.plan, price },
    quantity,
    coupon,
    anchorMs: startMs,
    periodIndex: index,
    periodStartMs: startMs,
    periodEndMs: endMs,
    createdAtMs: startMs,
  };
}
