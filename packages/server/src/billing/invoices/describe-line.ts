import type { SubscriptionState } from '../subscriptions/subscription-state.ts';

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

/** Changes of the period before that were too small to be charged by themselves. */
export function describeCarried({ plan }: SubscriptionState, fromMs: number, toMs: number): string {
  return `${plan.name}, changes carried over from the previous period, prorated (${spanOf(fromMs, toMs)})`;
}

function seatsOf(quantity: number): string {
  return quantity === 1 ? '1 seat' : `${quantity} seats`;
}

/** From one day to another, the year once where it is the same: "Nov 22 – Dec 1, 2026". */
function spanOf(fromMs: number, toMs: number): string {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const [first, last] = [dayOf(from), dayOf(to)];
  if (from.getUTCFullYear() !== to.getUTCFullYear()) {
    return `${first}, ${from.getUTCFullYear()} – ${last}, ${to.getUTCFullYear()}`;
  }
  return `${first === last ? first : `${first} – ${last}`}, ${to.getUTCFullYear()}`;
}

/** Of UTC, as all arithmetic is. */
function dayOf(at: Date): string {
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
