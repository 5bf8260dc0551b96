import type { ApiAnswer } from '../harness/index.ts';
import { must } from './billing-invariants.ts';
import type { CouponRecord, Records, SubscriptionRecord } from './billing-records.ts';
import type { Request } from './billing-steps.ts';

/** A refused order left nothing behind, whatever the reason. */
export function expectNothingBought(
  request: Request,
  answer: ApiAnswer | undefined,
  before: Records,
  after: Records,
): void {
  if (request.kind !== 'create' || answer === undefined || answer.status < 400) {
    return;
  }
  const things = ({ subscriptions, invoices, licenses, methods, credits, last_invoice_number, coupons }: Records) => [
    subscriptions.length,
    invoices.length,
    licenses.length,
    methods.length,
    last_invoice_number,
    credits.map(({ balance }) => balance).join(),
    coupons.map(({ redemptions }) => redemptions).join(),
  ];
  must(
    String(things(before)) === String(things(after)),
    `a refused order left nothing: ${JSON.stringify(answer.body)}`,
  );
}

/** Checks the response to a change, given the records after it. */
export type ChangeCheck = (answer: ApiAnswer | undefined, after: Records) => void;

/**
 * The charge for a change by the published rule: the rounded cost of the period up to now, to the second, minus what
 * was billed for it. The second can be any between the records before and after.
 */
export function expectedCharge(
  request: Extract<Request, { kind: 'change' }>,
  id: string,
  before: Records,
): ChangeCheck | undefined {
  const subscription = before.subscriptions.find((each) => each.id === id);
  if (subscription === undefined || subscription.pending_quantity !== null) {
    return undefined;
  }
  return (answer, after) => {
    const changed = after.subscriptions.find((each) => each.id === id);
    if (answer?.status !== 200 || changed === undefined) {
      const isUnchanged = changed?.quantity === subscription.quantity && changed.plan_id === subscription.plan_id;
      must(answer === undefined || isUnchanged, `a refused change changed nothing: ${JSON.stringify(answer?.body)}`);
      return;
    }
    const to = {
      quantity: changed.pending_quantity ?? changed.quantity,
      planId: answer.body.data.pending_change?.plan_id ?? changed.plan_id,
    };
    must(request.quantity === undefined || to.quantity === request.quantity, 'it has as many seats as requested');
    const billed = billedOf(id, after) - billedOf(id, before);
    const seconds = [before.now, after.now].map((now) => Math.floor(Date.parse(now) / 1000));
    const [from = 0, until = 0] = seconds;
    const possible: bigint[] = [];
    for (let second = from; second <= until; second += 1) {
      possible.push(costOf(subscription, to, second, before));
    }
    must(possible.includes(billed), `${id}: ${billed} were billed for ${JSON.stringify(to)}, not ${possible}`);
  };
}

/** What was billed for changes, whether paid or pending, minus the credits for decreases. */
function billedOf(id: string, { invoices, entries }: Records): bigint {
  const billed = invoices.filter((each) => each.subscription_id === id && each.reason === 'change');
  const credited = entries.filter((each) => each.subscription_id === id && each.reason === 'decrease');
  return (
    billed.reduce((sum, { subtotal }) => sum + BigInt(subtotal), 0n) -
    credited.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  );
}

function costOf(
  before: SubscriptionRecord,
  to: { quantity: number; planId: string },
  second: number,
  records: Records,
): bigint {
  const start = BigInt(Date.parse(before.current_period_start) / 1000);
  const end = BigInt(Date.parse(before.current_period_end) / 1000);
  const now = BigInt(second);
  const rest = now > end ? 0n : end - (now < start ? start : now);
  const coupon = records.coupons.find((each) => each.id === before.coupon_id);
  const costs = (planId: string, quantity: number) => {
    const price = BigInt(records.plans.find((each) => each.id === planId)?.price ?? 0) * BigInt(quantity);
    return price - discountOf(coupon, before.period_index, price);
  };
  const accrued =
    BigInt(before.accrued) + (costs(to.planId, to.quantity) - costs(before.plan_id, before.quantity)) * rest;
  return roundedHalfUp(accrued, end - start) - BigInt(before.period_billed);
}

function discountOf(coupon: CouponRecord | undefined, periodIndex: number, price: bigint): bigint {
  const months = { once: 1, repeating: coupon?.duration_months ?? 0, forever: Number.POSITIVE_INFINITY };
  if (coupon === undefined || periodIndex >= months[coupon.duration]) {
    return 0n;
  }
  const off =
    coupon.percent_off === null
      ? BigInt(coupon.amount_off ?? 0)
      : roundedHalfUp(price * BigInt(coupon.percent_off), 100n);
  return off > price ? price : off;
}

/** For values that are never negative, such as the cost of a period. */
function roundedHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}
