import { describe, expect, it } from 'vitest';
import type { PaymentState } from '../ledger/payment-state.ts';
import type { ChargeReason, ProviderCharge } from '../payment-provider/provider-charge.ts';
import { judgeCharges } from './unrecorded-charge-rules.ts';

const PERIOD_START_MS = Date.UTC(2026, 10, 1);

const payment = (given: Partial<PaymentState> = {}): PaymentState => ({
  organizationId: 'org_1',
  id: 'pay_1',
  subscriptionId: 'sub_1',
  invoiceId: 'inv_1',
  purpose: 'renewal',
  periodIndex: 3,
  periodStartMs: PERIOD_START_MS,
  attempt: 1,
  intent: { kind: 'collect' },
  amount: 14_500,
  currency: 'usd',
  isOnSession: false,
  setsUpMandate: false,
  paymentMethodId: 'pm_1',
  methodRef: 'pm_stripe',
  customerRef: 'cus_1',
  provider: 'stripe',
  providerRef: null,
  status: 'pending',
  declineCode: null,
  nextCheckAtMs: PERIOD_START_MS,
  checks: 0,
  requestKey: null,
  requestHash: null,
  createdAtMs: PERIOD_START_MS,
  settledAtMs: null,
  ...given,
});

const atProvider = (
  status: ProviderCharge['status'],
  given: Partial<ProviderCharge> = {},
  reason: Partial<ChargeReason> = {},
): ProviderCharge => ({
  paymentRef: `pi_${status}`,
  customerRef: 'cus_1',
  methodRef: 'pm_stripe',
  amount: 14_500,
  currency: 'usd',
  status,
  createdAtMs: PERIOD_START_MS,
  organizationId: 'org_1',
  purpose: 'renewal',
  reason: {
    subscriptionId: 'sub_1',
    periodIndex: 3,
    periodStartMs: PERIOD_START_MS,
    attempt: 1,
    order: null,
    request: null,
    ...reason,
  },
  ...given,
});

describe('a payment for a period', () => {
  it('is charged under its own number if the provider has no charge for it', () => {
    expect(judgeCharges(payment({ attempt: 2 }), [])).toEqual({ kind: 'charge', attempt: 2, open: [] });
  });

  it('adopts a charge collected by the provider, whatever request started it', () => {
    for (const purpose of ['renewal', 'retry', 'pay'] as const) {
      const charge = atProvider('succeeded', { purpose }, { attempt: 4 });
      expect(judgeCharges(payment(), [atProvider('declined'), charge])).toEqual({ kind: 'adopt', charge });
    }
  });

  it('prefers a collected charge of the same amount', () => {
    const exact = atProvider('succeeded');
    expect(judgeCharges(payment(), [atProvider('succeeded', { amount: 1 }), exact])).toEqual({
      kind: 'adopt',
      charge: exact,
    });
  });

  it.each([{ amount: 14_400 }, { amount: 14_600 }, { currency: 'eur' }])(
    'takes %j as credit if it was collected',
    (other) => {
      const charge = atProvider('succeeded', other);
      expect(judgeCharges(payment(), [charge])).toEqual({ kind: 'credit', charge });
    },
  );

  it('adopts a charge in progress, and waits if its amount differs or its status is unknown', () => {
    const charge = atProvider('processing');
    expect(judgeCharges(payment(), [charge])).toEqual({ kind: 'adopt', charge });
    expect(judgeCharges(payment(), [atProvider('processing', { amount: 1 })])).toEqual({ kind: 'wait' });
    expect(judgeCharges(payment(), [atProvider('unknown')])).toEqual({ kind: 'wait' });
  });

  it('continues an unconfirmed charge for the same amount and card, and closes any other', () => {
    const charge = atProvider('unconfirmed');
    expect(judgeCharges(payment(), [charge])).toEqual({ kind: 'adopt', charge });
    for (const other of [
      atProvider('unconfirmed', { amount: 1 }),
      atProvider('unconfirmed', { methodRef: 'pm_other' }),
    ]) {
      expect(judgeCharges(payment(), [other])).toEqual({ kind: 'charge', attempt: 2, open: [other] });
    }
  });

  it('closes a charge that a customer could still pay', () => {
    const open = [atProvider('requires_action'), atProvider('failed', {}, { attempt: 2 })];
    expect(judgeCharges(payment(), open)).toEqual({ kind: 'charge', attempt: 3, open });
  });

  it('never reuses the number of a declined or canceled attempt', () => {
    const charges = [atProvider('declined', {}, { attempt: 2 }), atProvider('canceled', {}, { attempt: 5 })];
    expect(judgeCharges(payment(), charges)).toEqual({ kind: 'charge', attempt: 6, open: [] });
  });

  it('ignores charges for another period, another subscription or a change', () => {
    const others = [
      atProvider('succeeded', {}, { periodIndex: 2 }),
      atProvider('succeeded', {}, { subscriptionId: 'sub_2' }),
      atProvider('succeeded', { purpose: 'change' }),
      atProvider('succeeded', { reason: undefined }),
    ];
    expect(judgeCharges(payment(), others)).toEqual({ kind: 'charge', attempt: 1, open: [] });
  });
});

describe('a payment for a change', () => {
  const invoice = {
    id: 'inv_2',
    reason: 'change' as const,
    periodIndex: 3,
    periodStartMs: PERIOD_START_MS,
    periodEndMs: PERIOD_START_MS + 1,
    currency: 'usd',
    subtotal: 14_500,
    discount: 0,
    couponCode: null,
    tax: 0,
    taxLines: [],
    total: 14_500,
    creditApplied: 0,
    amountDue: 14_500,
    lines: [],
  };
  const change = payment({
    purpose: 'change',
    invoiceId: null,
    intent: { kind: 'change', planId: 'plan_1', quantity: 8, accrued: '0', invoice, latestInvoiceId: null },
  });
  const order = { planId: 'plan_1', quantity: 8 };

  it('adopts a charge collected for the same plan and quantity', () => {
    const charge = atProvider('succeeded', { purpose: 'change' }, { order });
    expect(judgeCharges(change, [charge])).toEqual({ kind: 'adopt', charge });
    const dearer = atProvider('succeeded', { purpose: 'change', amount: 15_000 }, { order });
    expect(judgeCharges(change, [dearer])).toEqual({ kind: 'credit', charge: dearer });
  });

  it('gets the next number if the plan, the quantity or the period differs', () => {
    const others = [
      atProvider('succeeded', { purpose: 'change' }, { order: { ...order, quantity: 9 } }),
      atProvider('succeeded', { purpose: 'change' }, { order, periodIndex: 2, attempt: 2 }),
      atProvider('succeeded', { purpose: 'renewal' }, { attempt: 7 }),
    ];
    expect(judgeCharges(change, others)).toEqual({ kind: 'charge', attempt: 3, open: [] });
  });
});
