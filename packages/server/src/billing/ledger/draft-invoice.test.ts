import { expect, it } from 'vitest';
import { SOLD_FROM, SOLD_SUBSCRIPTION } from '../../../test/harness/sold-subscription.ts';
import type { AppliedCoupon } from '../schemas.ts';
import { draftChangeInvoice, draftPeriodInvoice } from './draft-invoice.ts';
import { carriedAmountOf, type PeriodPrice } from './subscription-rules.ts';

const COUPON: AppliedCoupon = {
  id: 'coupon_1',
  code: 'TENTH',
  percent_off: null,
  amount_off: null,
  currency: null,
  duration: 'forever',
  duration_months: null,
};
const priceOf = (total: bigint): PeriodPrice => ({ subtotal: total, discount: 0n, total });

it.each([
  ['none', 0, 0, 2_900],
  ['some', 1_000, 1_000, 1_900],
  ['until the minimum charge is left', 2_850, 2_850, 50],
  ['partly, if using all would leave less than the minimum charge', 2_851, 2_850, 50],
  ['partly, if one unit would be left', 2_899, 2_850, 50],
  ['up to the whole amount due', 2_900, 2_900, 0],
  ['never beyond the amount due', 9_000, 2_900, 0],
])('a period uses credit %s', (_what, credit, applied, due) => {
  const draft = draftPeriodInvoice('inv_1', 'renewal', SOLD_SUBSCRIPTION, priceOf(2_900n), { credit, minAmount: 50 });
  expect(draft).toMatchObject({ creditApplied: applied, amountDue: due });
});

it('a period that costs less than the minimum charge uses no credit', () => {
  const draftOf = (credit: number) =>
    draftPeriodInvoice('inv_1', 'create', SOLD_SUBSCRIPTION, priceOf(40n), { credit, minAmount: 50 }).amountDue;
  expect([draftOf(0), draftOf(10), draftOf(40)]).toEqual([40, 30, 0]);
});

it('an amount carried over from the previous period has its own line and is part of the amount due', () => {
  const terms = { credit: 0, minAmount: 50 };
  const { lines, subtotal, amountDue } = draftPeriodInvoice(
    'inv_1',
    'renewal',
    SOLD_SUBSCRIPTION,
    priceOf(2_900n),
    terms,
    { amount: 17n, fromMs: SOLD_FROM - 31 * 86_400_000 },
  );
  expect(lines[1]).toEqual({
    description: 'Pro, changes carried over from the previous period, prorated (Dec 31, 2025 – Jan 31, 2026)',
    quantity: 1,
    unit_amount: 17,
    amount: 17,
  });
  expect([lines.length, subtotal, amountDue]).toEqual([2, 2_917, 2_917]);
});

it.each([
  ['nothing', 0n, 0],
  ['a coupon', 290n, 0],
  ['credit', 0n, 1_000],
  ['a coupon and credit', 290n, 9_000],
])('lines sum to the subtotal, and the totals follow from it, with %s', (_what, discount, credit) => {
  const price = { subtotal: 2_900n, discount, total: 2_900n - discount };
  const coupon = { ...COUPON, percent_off: 10 };
  const invoice = draftPeriodInvoice('inv_1', 'renewal', { ...SOLD_SUBSCRIPTION, coupon }, price, {
    credit,
    minAmount: 50,
  });
  expect(invoice.lines).toEqual([
    { description: 'Pro, 1 seat (Jan 31 – Feb 28, 2026)', quantity: 1, unit_amount: 2_900, amount: 2_900 },
  ]);
  expect(invoice).toMatchObject({ subtotal: 2_900, discount: Number(discount), tax: 0, taxLines: [] });
  expect(invoice.couponCode).toBe(discount === 0n ? null : 'TENTH');
  expect(invoice.total).toBe(2_900 - Number(discount));
  expect(invoice.amountDue).toBe(invoice.total - invoice.creditApplied);
});

it('a change that costs enough also uses less of the credit', () => {
  const after = { quantity: 2, planName: 'Pro' };
  const dueOf = (amount: bigint, credit: number) =>
    draftChangeInvoice('inv_1', SOLD_SUBSCRIPTION, after, SOLD_FROM, amount, { credit, minAmount: 50 }).amountDue;
  expect([dueOf(70n, 30), dueOf(40n, 30), dueOf(40n, 40)]).toEqual([50, 10, 0]);
});

it('the rest of a period is billed together with a chargeable amount, or waived', () => {
  const accrual = { startMs: 0, endMs: 1_000_000, accrued: 17_000n, billed: 0n };
  const restOf = (total: bigint) => carriedAmountOf(accrual, priceOf(total), 50);
  expect([restOf(2_900n), restOf(33n), restOf(32n), restOf(0n)]).toEqual([17n, 17n, 0n, 0n]);
  expect(carriedAmountOf({ ...accrual, billed: 17n }, priceOf(2_900n), 50)).toBe(0n);
});
