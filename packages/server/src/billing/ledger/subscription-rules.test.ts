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
/** The longest time that a retry may take. */
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
    ['outlasts the period of an active one by its grace, and renews', ACTIVE, END + 3 * DAY, true],
    ['ends with the period that is the last', { ...ACTIVE, cancelAtPeriodEnd: true }, END, false],
    [
      'of one that is past due outlasts the last retry',
      startDunning(ACTIVE, END, DAYS),
      END + 21 * DAY + LAST_RETRY,
      false,
    ],
    ['of one that has ended ended then', endCanceled(ACTIVE, START + DAY), START + DAY, false],
    [
      'of one that was not paid for ended with it',
      expire(startDunning(ACTIVE, END, DAYS), END + DAY),
      END + DAY,
      false,
    ],
  ])('%s', (_promise, subscription, endsAtMs, renews) => {
    expect(entitlementOf(subscription)).toMatchObject({ expires_at: iso(endsAtMs), renews, max_seats: 5 });
  });

  it('does not exist before anything is paid', () => {
    expect(entitlementOf(INCOMPLETE)).toBeUndefined();
    expect(entitlementOf(expire(INCOMPLETE, START + DAY))).toBeUndefined();
  });

  it('is what the plan gives', () => {
    expect(entitlementOf(ACTIVE)).toMatchObject({
      product: 'studio',
      features: { ai_assistance: true },
      heartbeat_interval_seconds: 60,
      session_timeout_seconds: null,
      policy: {},
    });
  });
});

describe('what is due next', () => {
  it.each([
    ['the end of the period', ACTIVE, END],
    ['a change that is not paid for by then', { ...ACTIVE, pending: PENDING }, START + HOUR],
    ['the end of 23 hours, where the first payment waits', INCOMPLETE, START + 23 * HOUR],
    ['the next retry', startDunning(ACTIVE, END, DAYS), END + 2 * DAY],
    ['nothing, once it has ended', expire(ACTIVE, END), null],
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
  it('spaces its retries by the days given, counted from when each was made', () => {
    let subscription = startDunning(ACTIVE, END, DAYS);
    let nowMs = END;
    for (const days of DAYS) {
      nowMs += days * DAY;
      expect(subscription.nextAttemptAtMs).toBe(nowMs);
      subscription = startRetry(subscription, nowMs, DAYS);
    }
    expect(subscription.nextAttemptAtMs).toBeNull();
  });

  it('moves its end with a retry that came late, so that none is lost', () => {
    const late = startRetry(startDunning(ACTIVE, END, DAYS), END + 10 * DAY, DAYS);
    expect(late).toMatchObject({ nextAttemptAtMs: END + 15 * DAY, dunningEndsAtMs: END + 29 * DAY + LAST_RETRY });
  });

  it('ends immediately if there are no retries', () => {
    expect(startDunning(ACTIVE, END, [])).toMatchObject({ status: 'expired', endedAtMs: END });
  });

  it('leaves nothing behind when it is paid', () => {
    const saved = endDunning(startDunning(ACTIVE, END, DAYS));
    expect(saved).toEqual(ACTIVE);
  });

  it('and everything that was pending ends with the subscription', () => {
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

  it('has its coupon taken off as long as that counts', () => {
    const totals = [0, 1, 2].map((index) => periodPriceOf({ price: 2_900, currency: 'usd' }, 5, COUPON, index).total);
    expect(totals).toEqual([9_715n, 9_715n, 14_500n]);
  });

  it('does not let a change wait past its end', () => {
    expect(pendingExpiresAtMs(ACTIVE, START)).toBe(START + 23 * HOUR);
    expect(pendingExpiresAtMs(ACTIVE, END - HOUR)).toBe(END);
  });
});
