import { type ApiError, httpError } from '../../http/index.ts';
import { maxQuantityOf, type PlanRow } from '../plans/queries.ts';
import type { SoldPlan, SubscriptionState } from './subscription-state.ts';
import { soldPlanOf } from './write-subscriptions.ts';

/** A business rule's refusal of one field. */
export function refused(field: string, reason: string, message: string): ApiError {
  return httpError('validation_failed', message, { details: { field, reason } });
}

/** The plan, if so many seats of it can be bought now. Throws validation_failed. */
export function requireSellable(plan: PlanRow | undefined, quantity: number): SoldPlan {
  if (plan === undefined || plan.is_archived) {
    throw refused('plan_id', 'unknown', 'There is no such plan on sale.');
  }
  const sold = soldPlanOf(plan);
  if (sold === undefined || plan.contact_sales) {
    throw refused('plan_id', 'contact_sales', `The plan ${plan.name} is sold by contact: talk to sales.`);
  }
  requireSeats(plan, quantity);
  return sold;
}

/** Throws validation_failed when one subscription to the plan cannot have so many seats. */
export function requireSeats(plan: PlanRow, quantity: number): void {
  const most = maxQuantityOf(plan);
  if (quantity > most) {
    throw refused('quantity', 'max', `The plan ${plan.name} has at most ${most} seats.`);
  }
}

/** Throws validation_failed when a period would cost more than can be charged at once; without a provider nothing is. */
export function requireChargeable(amount: bigint, maxAmount: number | undefined): void {
  if (maxAmount !== undefined && amount > BigInt(maxAmount)) {
    throw refused('quantity', 'amount', 'So many seats cost more than one payment can be: talk to sales.');
  }
}

/**
 * Throws conflict when a subscription cannot be changed as it stands. Past the end of its period, where the job that begins
 * the next one has not come yet, there is no rest of a period that a change could be prorated over.
 */
export function requireChangeable({ status, periodEndMs }: SubscriptionState, nowMs: number): void {
  if (status !== 'active') {
    throw httpError('conflict', `A subscription that is ${status} cannot be changed${HINTS[status] ?? ''}.`);
  }
  if (periodEndMs <= nowMs) {
    throw httpError(
      'conflict',
      'The period of the subscription is over and its next one is about to begin: try again.',
    );
  }
}

const HINTS: Readonly<Record<string, string>> = {
  incomplete: ': its first payment is not done yet',
  past_due: ': its open invoice has to be paid first',
};
