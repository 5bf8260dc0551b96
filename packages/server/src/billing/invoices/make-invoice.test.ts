import { expect, it } from 'vitest';
import { SOLD_FROM, SOLD_SUBSCRIPTION } from '../../../test/harness/sold-subscription.ts';
import { type PeriodPrice, restToBill } from '../subscriptions/subscription-rules.ts';
import { draftChangeInvoice, draftPeriodInvoice } from './make-invoice.ts';

const priceOf = (total: bigint): PeriodPrice => ({ subtotal: total, discount: 0n, total });

it.each([
  ['none', 0, 0, 2_900],
  ['some', 1_000, 1_000, 1_900],
  ['as much as leaves the least that can be charged', 2_850, 2_850, 50],
  ['less, where more would leave too little', 2_851, 2_850, 50],
  ['less, where one unit would be left', 2_899, 2_850, 50],
  ['all that is due', 2_900, 2_900, 0],
  ['no more than is due', 9_000, 2_900, 0],
])('a period uses of the credit %s', (_what, credit, applied, due) => {
  const draft = draftPeriodInvoice('inv_1', 'renewal', SOLD_SUBSCRIPTION, priceOf(2_900n), { credit, minAmount: 50 });
  expect(draft).toMatchObject({ creditApplied: applied, amountDue: due });
});

it('a period that costs less than can be charged is left as it is', () => {
  const draftOf = (credit: number) =>
    draftPeriodInvoice('inv_1', 'create', SOLD_SUBSCRIPTION, priceOf(40n), { credit, minAmount: 50 }).amountDue;
  expect([draftOf(0), draftOf(10), draftOf(40)]).toEqual([40, 30, 0]);
});

it('the rest of the period before is a line of its own, and part of what is due', () => {
  const means = { credit: 0, minAmount: 50 };
  const { lines, subtotal, amountDue } = draftPeriodInvoice(
    'inv_1',
    'renewal',
    SOLD_SUBSCRIPTION,
    priceOf(2_900n),
    means,
    17n,
  );
  expect(lines[1]).toEqual({ description: 'Rest of the period before', quantity: 1, unit_amount: 17, amount: 17 });
  expect([lines.length, subtotal, amountDue]).toEqual([2, 2_917, 2_917]);
});

it('a change uses less of the credit, too, where it costs enough', () => {
  const after = { quantity: 2, planName: 'Pro' };
  const dueOf = (amount: bigint, credit: number) =>
    draftChangeInvoice('inv_1', SOLD_SUBSCRIPTION, after, SOLD_FROM, amount, { credit, minAmount: 50 }).amountDue;
  expect([dueOf(70n, 30), dueOf(40n, 30), dueOf(40n, 40)]).toEqual([50, 10, 0]);
});

it('the rest of a period is billed with something that can be charged, or waived', () => {
  const ledger = { startMs: 0, endMs: 1_000_000, accrued: 17_000n, billed: 0n };
  const restOf = (total: bigint) => restToBill(ledger, priceOf(total), 50);
  expect([restOf(2_900n), restOf(33n), restOf(32n), restOf(0n)]).toEqual([17n, 17n, 0n, 0n]);
  expect(restToBill({ ...ledger, billed: 17n }, priceOf(2_900n), 50)).toBe(0n);
});
