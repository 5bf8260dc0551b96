import { chargeUnitOf } from '../money/charge-units.ts';
import type { PeriodPrice } from '../subscriptions/subscription-rules.ts';
import type { SubscriptionState } from '../subscriptions/subscription-state.ts';

/** One line; amount = quantity x unitAmount, in minor units. */
export interface Line {
  description: string;
  quantity: number;
  unit_amount: number;
  amount: number;
}

/** An invoice before it has a number: what is to be paid, and for what. Amounts in minor units. */
export interface InvoiceDraft {
  id: string;
  reason: 'create' | 'renewal' | 'change';
  periodIndex: number;
  /** What it is for: the period, or what was left of it. Milliseconds since 1970. */
  periodStartMs: number;
  periodEndMs: number;
  currency: string;
  subtotal: number;
  discount: number;
  creditApplied: number;
  amountDue: number;
  lines: readonly Line[];
}

/** What an invoice can be paid with. Amounts in minor units. */
export interface Means {
  /** What the organization has left. */
  credit: number;
  /** The least that the provider charges. */
  minAmount: number;
}

/** The invoice of a whole period in advance; `rest` is what was not billed of the period before, in minor units. */
export function draftPeriodInvoice(
  id: string,
  reason: 'create' | 'renewal',
  subscription: SubscriptionState,
  price: PeriodPrice,
  means: Means,
  rest = 0n,
): InvoiceDraft {
  const { plan, quantity, coupon, periodStartMs, periodEndMs } = subscription;
  const description = `${plan.name}, ${seatsOf(quantity)}, ${spanOf(periodStartMs, periodEndMs)}`;
  const amount = Number(price.subtotal);
  // A price from before the catalogue refused it may be one that cannot be charged: then the whole is rounded, not each seat.
  const isExact = amount === quantity * plan.price;
  const seats = isExact ? { description, quantity, unit_amount: plan.price, amount } : single(description, amount);
  const off = Number(price.discount);
  const discounts = off === 0 ? [] : [single(`Coupon ${coupon?.code ?? ''}`, -off)];
  const lines = rest === 0n ? [seats] : [seats, single('Rest of the period before', Number(rest))];
  return draft({ id, reason, subscription, fromMs: periodStartMs, lines, discounts, means });
}

/** The invoice of a change in the middle of a period: one line of what the rest of it costs more. */
export function draftChangeInvoice(
  id: string,
  before: SubscriptionState,
  after: { quantity: number; planName: string },
  atMs: number,
  amount: bigint,
  means: Means,
): InvoiceDraft {
  const description = changeText(before, after, atMs);
  const lines = [single(description, Number(amount))];
  return draft({
    id,
    reason: 'change',
    subscription: before,
    fromMs: Math.floor(atMs / 1000) * 1000,
    lines,
    discounts: [],
    means,
  });
}

/** What a change is called, on invoices and in previews. */
export function changeText(
  before: SubscriptionState,
  after: { quantity: number; planName: string },
  atMs: number,
): string {
  const from =
    after.planName === before.plan.name ? String(before.quantity) : `${before.plan.name}, ${before.quantity}`;
  return `${from} to ${after.planName === before.plan.name ? '' : `${after.planName}, `}${seatsOf(after.quantity)}, ${spanOf(atMs, before.periodEndMs)}`;
}

function draft(given: {
  id: string;
  reason: InvoiceDraft['reason'];
  subscription: SubscriptionState;
  fromMs: number;
  lines: readonly Line[];
  discounts: readonly Line[];
  means: Means;
}): InvoiceDraft {
  const subtotal = sumOf(given.lines);
  const discount = Math.abs(sumOf(given.discounts));
  const unit = chargeUnitOf(given.subscription.plan.currency);
  const creditApplied = creditFor(subtotal - discount, given.means, unit);
  const credits = creditApplied === 0 ? [] : [single('Credit from earlier changes', -creditApplied)];
  return {
    id: given.id,
    reason: given.reason,
    periodIndex: given.subscription.periodIndex,
    periodStartMs: given.fromMs,
    periodEndMs: given.subscription.periodEndMs,
    currency: given.subscription.plan.currency,
    subtotal,
    discount,
    creditApplied,
    amountDue: subtotal - discount - creditApplied,
    lines: [...given.lines, ...given.discounts, ...credits],
  };
}

/**
 * All the credit that there is, or less where the rest of it could not be charged: what is left is a multiple of the
 * currency's unit, and at least the least that can be charged.
 */
function creditFor(total: number, { credit, minAmount }: Means, unit: number): number {
  const most = credit < total ? Math.floor(credit / unit) * unit : total;
  const isTooLittle = total - most > 0 && total - most < minAmount;
  return isTooLittle && total >= minAmount ? total - minAmount : most;
}

function single(description: string, amount: number): Line {
  return { description, quantity: 1, unit_amount: amount, amount };
}

function sumOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.amount, 0);
}

function seatsOf(quantity: number): string {
  return quantity === 1 ? '1 seat' : `${quantity} seats`;
}

function spanOf(fromMs: number, toMs: number): string {
  return `${dayOf(fromMs)} to ${dayOf(toMs)}`;
}

/** Of UTC, as all arithmetic is. */
function dayOf(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
