import { describe, expect, it } from 'vitest';
import { SOLD_FROM, SOLD_SUBSCRIPTION, SOLD_UNTIL } from '../../../test/harness/sold-subscription.ts';
import type { AppliedCoupon } from '../schemas.ts';
import {
  endCanceled,
  endDunning,
  entitlementOf,
  expire,
  nextActionAtMs,
  pendingExpiresAtMs,
  periodPriceOf,
  startDunning,
  startNextPeriod,
  startRetry,
} from './subscription-rules.ts';
import type { SubscriptionState } from './subscription-state.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The longest that a retry may take. */
const LAST_RETRY = 600_000;
const START = SOLD_FROM;
const END = SOLD_UNTIL;
const DAYS = [2, 5, 7, 7];

const ACTIVE: SubscriptionState = {
  ...SOLD_SUBSCRIPTION,
  plan: { ...SOLD_SUBSCRIPTION.plan, license_features: { ai_assistance: true }, heartbeat_interval_seconds: 60 },
  quantity: 5,
  billed: 14_500n,
  latestInvoiceId: 'inv_1',
  licenseId: 'lic_1',
};
const INCOMPLETE: SubscriptionState = { ...ACTIVE, status: 'incomplete', licenseId: null };
const PENDING = { quantity: 8, planId: 'plan_1', expiresAtMs: START + HOUR };
const COUPON: AppliedCoupon = {
  id: 'coup_1',
  code: 'THIRD',
  percent_off: 33,
  amount_off: null,
  currency: null,
  duration: 'repeating',
  duration_months: 2,
};

describe('the license', () => {
  const iso = (timeMs: number) => new Date(timeMs).toISOString();

  it.each([
    ['outlasts the period of an active subscription by its grace, and renews', ACTIVE, END + 3 * DAY, true],
    ['ends with the last period', { ...ACTIVE, cancelAtPeriodEnd: true }, END, false],
    [
      'outlasts the last retry of a past-due subscription',
      startDunning(ACTIVE, END, DAYS),
      END + 21 * DAY + LAST_RETRY,
      false,
    ],
    ['ended when a canceled subscription ended', endCanceled(ACTIVE, START + DAY), START + DAY, false],
    ['ended when an unpaid subscription expired', expire(startDunning(ACTIVE, END, DAYS), END + DAY), END + DAY, false],
  ])('%s', (_promise, subscription, endsAtMs, renews) => {
    expect(entitlementOf(subscription)).toMatchObject({ expires_at: iso(endsAtMs), renews, max_seats: 5 });
  });

  it('does not exist before the first payment', () => {
    expect(entitlementOf(INCOMPLETE)).toBeUndefined();
    expect(entitlementOf(expire(INCOMPLETE, START + DAY))).toBeUndefined();
  });

  it('has the terms of the plan', () => {
    expect(entitlementOf(ACTIVE)).toMatchObject({
      product: 'studio',
      features: { ai_assistance: true },
      heartbeat_interval_seconds: 60,
      session_timeout_seconds: null,
      policy: {},
    });
  });
});

describe('the next action', () => {
  it.each([
    ['the end of the period', ACTIVE, END],
    ['the expiry of a change that is not paid by then', { ...ACTIVE, pending: PENDING }, START + HOUR],
    ['the expiry after 23 hours while the first payment is pending', INCOMPLETE, START + 23 * HOUR],
    ['the next retry', startDunning(ACTIVE, END, DAYS), END + 2 * DAY],
    ['nothing, once the subscription has ended', expire(ACTIVE, END), null],
  ])('is %s', (_what, subscription, dueMs) => {
    expect(nextActionAtMs(subscription)).toBe(dueMs);
  });

  it('is the end of dunning after the last retry', () => {
    const last = DAYS.reduce((each) => startRetry(each, END, DAYS), startDunning(ACTIVE, END, DAYS));
    expect(last).toMatchObject({ dunningRetries: 4, nextAttemptAtMs: null });
    expect(nextActionAtMs(last)).toBe(last.dunningEndsAtMs);
    expect(last.dunningEndsAtMs).toBeGreaterThan(END);
  });
});

describe('dunning', () => {
  it('spaces its retries by the given days, each counted from the previous retry', () => {
    let subscription = startDunning(ACTIVE, END, DAYS);
    let nowMs = END;
    for (const days of DAYS) {
      nowMs += days * DAY;
      expect(subscription.nextAttemptAtMs).toBe(nowMs);
      subscription = startRetry(subscription, nowMs, DAYS);
    }
    expect(subscription.nextAttemptAtMs).toBeNull();
  });

  it('moves its end after a late retry, so that no retry is lost', () => {
    const late = startRetry(startDunning(ACTIVE, END, DAYS), END + 10 * DAY, DAYS);
    expect(late).toMatchObject({ nextAttemptAtMs: END + 15 * DAY, dunningEndsAtMs: END + 29 * DAY + LAST_RETRY });
  });

  it('ends immediately if there are no retries', () => {
    expect(startDunning(ACTIVE, END, [])).toMatchObject({ status: 'expired', endedAtMs: END });
  });

  it('leaves nothing behind once the invoice is paid', () => {
    const saved = endDunning(startDunning(ACTIVE, END, DAYS));
    expect(saved).toEqual(ACTIVE);
  });

  it('and all pending work end with the subscription', () => {
    const waiting = {
      ...startDunning(ACTIVE, END, DAYS),
      pending: PENDING,
      pendingPaymentId: 'pay_1',
      requiresAction: true,
    };
    expect(expire(waiting, END + DAY)).toEqual({ ...ACTIVE, status: 'expired', endedAtMs: END + DAY });
  });
});

describe('a period', () => {
  it('follows the previous one by its anchor, and is billed in full', () => {
    const { next, price } = startNextPeriod(ACTIVE);
    const marchEnd = Date.UTC(2026, 2, 31, 12);
    expect(next).toMatchObject({ periodIndex: 1, periodStartMs: END, periodEndMs: marchEnd, billed: 14_500n });
    expect(next.accrued).toBe(14_500n * BigInt((marchEnd - END) / 1000));
    expect(price).toEqual({ subtotal: 14_500n, discount: 0n, total: 14_500n });
  });

  it('is discounted by its coupon while the coupon applies', () => {
    const totals = [0, 1, 2].map((index) => periodPriceOf({ price: 2_900, currency: 'usd' }, 5, COUPON, index).total);
    expect(totals).toEqual([9_715n, 9_715n, 14_500n]);
  });

  it('does not let a change wait past its end', () => {
    expect(pendingExpiresAtMs(ACTIVE, START)).toBe(START + 23 * HOUR);
    expect(pendingExpiresAtMs(ACTIVE, END - HOUR)).toBe(END);
  });
});
