// Computes prorations and invoices, and the least arithmetic of each, in turn: every line of input names one and how many seconds it
// lasts, and is answered with how many there were each second.
import { createInterface } from 'node:readline';
import { draftPeriodInvoice } from '../../packages/server/src/billing/ledger/draft-invoice.ts';
import { INITIAL_STATE } from '../../packages/server/src/billing/ledger/record-subscription.ts';
import { startNextPeriod } from '../../packages/server/src/billing/ledger/subscription-rules.ts';
import type { SubscriptionState } from '../../packages/server/src/billing/ledger/subscription-state.ts';
import { accrueWholePeriod, periodAt, prorateChange } from '../../packages/server/src/billing/money/periods.ts';
import type { MoneyOrder } from '../rig/money-order.ts';

const BATCH = 1_000;
const PRICE = 2_900n;
const PERIOD = periodAt(Date.UTC(2026, 0, 31), 0);
const LENGTH = BigInt((PERIOD.endMs - PERIOD.startMs) / 1000);
const TERMS = { credit: 100, minAmount: 50 };

/** Each does a thousand and answers something of them, so that none is optimized away. */
const WORK: Readonly<Record<MoneyOrder['work'], () => bigint>> = {
  prorations: () => {
    let accrual = accrueWholePeriod(PERIOD, PRICE);
    for (let number = 0; number < BATCH; number += 1) {
      const before = PRICE * BigInt(1 + (number % 10));
      const after = PRICE * BigInt(1 + ((number + 1) % 10));
      ({ accrual } = prorateChange(accrual, PERIOD.startMs + number * 2_000_000, before, after));
    }
    return accrual.billed;
  },
  'bare prorations': () => {
    let accrued = PRICE * LENGTH;
    let billed = PRICE;
    for (let number = 0; number < BATCH; number += 1) {
      const before = PRICE * BigInt(1 + (number % 10));
      const after = PRICE * BigInt(1 + ((number + 1) % 10));
      accrued += (after - before) * (LENGTH - BigInt(number * 2_000));
      billed += (accrued + LENGTH / 2n) / LENGTH - billed;
    }
    return billed;
  },
  invoices: () => {
    let sum = 0;
    for (let number = 0; number < BATCH; number += 1) {
      const { next, price } = startNextPeriod({ ...SUBSCRIPTION, quantity: 1 + (number % 10) });
      sum += draftPeriodInvoice('inv_00000000000000000000000000', 'renewal', next, price, TERMS).amountDue;
    }
    return BigInt(sum);
  },
  'bare invoices': () => {
    let sum = 0n;
    for (let number = 0; number < BATCH; number += 1) {
      const subtotal = PRICE * BigInt(1 + (number % 10));
      sum += subtotal - (subtotal * 15n + 50n) / 100n - 100n;
    }
    return sum;
  },
};

const SUBSCRIPTION: SubscriptionState = {
  organizationId: 'org_00000000000000000000000000',
  id: 'sub_00000000000000000000000000',
  status: 'active',
  plan: {
    id: 'plan_00000000000000000000000000',
    name: 'Pro',
    price: Number(PRICE),
    currency: 'usd',
    interval: 'month',
    tier: 'pro',
    product: 'studio',
    license_features: {},
    grace_seconds: 259_200,
    heartbeat_interval_seconds: null,
    session_timeout_seconds: null,
    policy: {},
  },
  quantity: 1,
  coupon: {
    id: 'coup_00000000000000000000000000',
    code: 'BENCH',
    percent_off: 15,
    amount_off: null,
    currency: null,
    duration: 'forever',
    duration_months: null,
  },
  anchorMs: PERIOD.startMs,
  periodIndex: 0,
  periodStartMs: PERIOD.startMs,
  periodEndMs: PERIOD.endMs,
  accrued: PRICE * LENGTH,
  billed: PRICE,
  ...INITIAL_STATE,
  createdAtMs: PERIOD.startMs,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { work, seconds }: MoneyOrder = JSON.parse(line);
  const startMs = performance.now();
  let count = 0;
  let sum = 0n;
  while (performance.now() - startMs < seconds * 1000) {
    sum += WORK[work]();
    count += BATCH;
  }
  const perSecond = (count * 1000) / (performance.now() - startMs);
  process.stdout.write(`${JSON.stringify({ perSecond, sum: String(sum) })}\n`);
}
process.exit();
