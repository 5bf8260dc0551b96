import { chargeUnitOf } from '../money/amounts.ts';
import type { PeriodPrice } from './subscription-rules.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** One line; amount = quantity x unitAmount, in minor units. */
export interface Line {
  description: string;
  quantity: number;
  unit_amount: number;
  amount: number;
}

/** The amount of one tax rate. */
export interface TaxLine {
  name: string;
  /** A decimal number such as "19.0". */
  percent: string;
  /** The taxed amount and the tax, in minor units. */
  taxable: number;
  amount: number;
}

/**
 * An invoice before it has a number: the amount to pay, and what it is for. Amounts in minor units. The lines sum to
 * the subtotal; neither the discount nor the credit is one of them.
 */
export interface InvoiceDraft {
  id: string;
  reason: 'create' | 'renewal' | 'change';
  periodIndex: number;
  /** The billed period, or the rest of it. Milliseconds since 1970. */
  periodStartMs: number;
  periodEndMs: number;
  currency: string;
  lines: readonly Line[];
  subtotal: number;
  discount: number;
  /** The coupon that gives the discount; null if there is none. */
  couponCode: string | null;
  /** The sum of the tax lines. */
  tax: number;
  taxLines: readonly TaxLine[];
  /** subtotal - discount + tax */
  total: number;
  creditApplied: number;
  /** total - creditApplied */
  amountDue: number;
}

/** The terms that decide how much of an invoice is charged, and how much is paid by credit. Amounts in minor units. */
export interface ChargeTerms {
  /** The organization's credit balance. */
  credit: number;
  /** The minimum amount that the provider charges. */
  minAmount: number;
}

/** The amount too small to be charged in the previous period, and the start of that period. */
export interface CarriedAmount {
  /** Minor units. */
  amount: bigint;
  fromMs: number;
}

/** The invoice for a whole period in advance, with the amount carried over from the previous one. */
export function draftPeriodInvoice(
  id: string,
  reason: 'create' | 'renewal',
  subscription: SubscriptionState,
  price: PeriodPrice,
  terms: ChargeTerms,
  carried?: CarriedAmount,
): InvoiceDraft {
  const { plan, quantity, coupon, periodStartMs } = subscription;
  const description = describePeriod(subscription);
  const amount = Number(price.subtotal);
  // Earlier versions accepted prices that cannot be charged. In that case the total is rounded, not each seat.
  const isExact = amount === quantity * plan.price;
  const seats = isExact ? { description, quantity, unit_amount: plan.price, amount } : single(description, amount);
  const rest =
    carried === undefined || carried.amount === 0n
      ? []
      : [single(describeCarried(subscription, carried.fromMs, periodStartMs), Number(carried.amount))];
  const discount = Number(price.discount);
  const couponCode = discount === 0 ? null : (coupon?.code ?? null);
  return draft({
    id,
    reason,
    subscription,
    fromMs: periodStartMs,
    lines: [seats, ...rest],
    discount,
    couponCode,
    terms,
  });
}

/**
 * The invoice for a change in the middle of a period: one line with the additional cost for the rest of it, net of
 * discounts.
 */
export function draftChangeInvoice(
  id: string,
  before: SubscriptionState,
  after: { quantity: number; planName: string },
  atMs: number,
  amount: bigint,
  terms: ChargeTerms,
): InvoiceDraft {
  return draft({
    id,
    reason: 'change',
    subscription: before,
    fromMs: Math.floor(atMs / 1000) * 1000,
    lines: [single(describeChange(before, after, atMs), Number(amount))],
    discount: 0,
    couponCode: null,
    terms,
  });
}

function draft(given: {
  id: string;
  reason: InvoiceDraft['reason'];
  subscription: SubscriptionState;
  fromMs: number;
  lines: readonly Line[];
  discount: number;
  couponCode: string | null;
  terms: ChargeTerms;
}): InvoiceDraft {
  const { id, reason, subscription, lines, discount, couponCode } = given;
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  // Nothing is taxed yet: each rate will be a tax line, and their sum the tax.
  const tax = 0;
  const total = subtotal - discount + tax;
  const creditApplied = creditFor(total, given.terms, chargeUnitOf(subscription.plan.currency));
  return {
    id,
    reason,
    periodIndex: subscription.periodIndex,
    periodStartMs: given.fromMs,
    periodEndMs: subscription.periodEndMs,
    currency: subscription.plan.currency,
    lines,
    subtotal,
    discount,
    couponCode,
    tax,
    taxLines: [],
    total,
    creditApplied,
    amountDue: total - creditApplied,
  };
}

/**
 * All available credit, or less if the remainder could not be charged: the remainder must be a multiple of the
 * currency's unit, and at least the minimum charge.
 */
function creditFor(total: number, { credit, minAmount }: ChargeTerms, unit: number): number {
  const most = credit < total ? Math.floor(credit / unit) * unit : total;
  const isTooLittle = total - most > 0 && total - most < minAmount;
  return isTooLittle && total >= minAmount ? total - minAmount : most;
}

function single(description: string, amount: number): Line {
  return { description, quantity: 1, unit_amount: amount, amount };
}

/** The seats of a whole period: "Pro, 5 seats (Jan 31 – Feb 28, 2026)". */
export function describePeriod({ plan, quantity, periodStartMs, periodEndMs }: SubscriptionState): string {
  return `${plan.name}, ${seatsOf(quantity)} (${spanOf(periodStartMs, periodEndMs)})`;
}

/**
 * A change in the middle of a period, on invoices and in previews: "Pro, 5 seats (previously 3), prorated (Feb 14 – Feb 28,
 * 2026)".
 */
export function describeChange(
  before: SubscriptionState,
  after: { quantity: number; planName: string },
  atMs: number,
): string {
  const previously =
    after.planName === before.plan.name ? String(before.quantity) : `${before.plan.name}, ${seatsOf(before.quantity)}`;
  return `${after.planName}, ${seatsOf(after.quantity)} (previously ${previously}), prorated (${spanOf(atMs, before.periodEndMs)})`;
}

/** Changes in the previous period that were too small to be charged separately. */
function describeCarried({ plan }: SubscriptionState, fromMs: number, toMs: number): string {
  return `${plan.name}, changes carried over from the previous period, prorated (${spanOf(fromMs, toMs)})`;
}

function seatsOf(quantity: number): string {
  return quantity === 1 ? '1 seat' : `${quantity} seats`;
}

/** A range of days, with the year once if it is the same: "Nov 22 – Dec 1, 2026". */
function spanOf(fromMs: number, toMs: number): string {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const [first, last] = [dayOf(from), dayOf(to)];
  if (from.getUTCFullYear() !== to.getUTCFullYear()) {
    return `${first}, ${from.getUTCFullYear()} – ${last}, ${to.getUTCFullYear()}`;
  }
  return `${first === last ? first : `${first} – ${last}`}, ${to.getUTCFullYear()}`;
}

/** In UTC, like all date arithmetic. */
function dayOf(at: Date): string {
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

type Added = 'couponCode' | 'tax' | 'taxLines' | 'total';

/**
 * A draft as it is stored with a payment until the outcome is known. A draft of the previous version has no tax, and
 * has the discount and the credit among its lines.
 */
export type StoredDraft = Omit<InvoiceDraft, Added> & Partial<Pick<InvoiceDraft, Added>>;

/** The draft in this version's form; amounts due and paid do not change. */
export function restoreDraft(kept: StoredDraft): InvoiceDraft {
  const { tax = 0, taxLines = [], subtotal, discount } = kept;
  const total = kept.total ?? subtotal - discount + tax;
  if (kept.total !== undefined) {
    return { ...kept, couponCode: kept.couponCode ?? null, tax, taxLines, total };
  }
  const couponLine = kept.lines.find((line) => line.amount < 0 && line.description.startsWith(COUPON));
  return {
    ...kept,
    // Nothing else was ever negative there.
    lines: kept.lines.filter((line) => line.amount >= 0),
    couponCode: couponLine?.description.slice(COUPON.length) ?? null,
    tax,
    taxLines,
    total,
  };
}

const COUPON = 'Coupon ';
