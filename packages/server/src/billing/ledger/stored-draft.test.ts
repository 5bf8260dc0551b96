import { expect, it } from 'vitest';
import { SOLD_SUBSCRIPTION } from '../../../test/harness/sold-subscription.ts';
import { draftPeriodInvoice, restoreDraft, type StoredDraft } from './draft-invoice.ts';

const SEATS = { description: 'Pro, 5 seats', quantity: 5, unit_amount: 2_900, amount: 14_500 };
const negative = (description: string, amount: number) => ({ description, quantity: 1, unit_amount: amount, amount });

/** Lines as payments of the previous version store them. */
const FORMER: StoredDraft = {
  id: 'inv_1',
  reason: 'create',
  periodIndex: 0,
  periodStartMs: 0,
  periodEndMs: 1,
  currency: 'usd',
  subtotal: 14_500,
  discount: 1_450,
  creditApplied: 100,
  amountDue: 12_950,
  lines: [SEATS, negative('Coupon TENTH', -1_450), negative('Credit from earlier changes', -100)],
};

it('a draft from the previous version loses its negative lines but keeps its amounts', () => {
  expect(restoreDraft(FORMER)).toEqual({
    ...FORMER,
    lines: [SEATS],
    couponCode: 'TENTH',
    tax: 0,
    taxLines: [],
    total: 13_050,
  });
});

it('a draft of this version stays unchanged', () => {
  const price = { subtotal: 2_900n, discount: 0n, total: 2_900n };
  const draft = draftPeriodInvoice('inv_1', 'create', SOLD_SUBSCRIPTION, price, { credit: 100, minAmount: 50 });
  expect(restoreDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
});
