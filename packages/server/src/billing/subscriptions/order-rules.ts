import { type ApiError, httpError } from '../../http/index.ts';
import { maxQuantityOf, type PlanRow } from '../plans/queries.ts';
import type { SoldPlan } from './subscription-state.ts';
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

/** Throws validation_failed when a period would cost more than can be charged at once. */
export function requireChargeable(amount: bigint, maxAmount: number): void {
  if (amount > BigInt(maxAmount)) {
    throw refused('quantity', 'amount', 'So many seats cost more than one payment can be: talk to sales.');
  }
}
