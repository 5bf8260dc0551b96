import type { Plan, Subscription } from '@seathold/client';

const MOST = 10_000;

/** What would change; undefined while that is nothing, or no number of seats. */
export function changeOf({ plan, quantity: before }: Subscription, typed: string, planId: string) {
  const quantity = Number(typed);
  const isNumber = typed.trim() !== '' && Number.isInteger(quantity) && quantity >= 1 && quantity <= MOST;
  if (!isNumber || (quantity === before && planId === plan.id)) {
    return undefined;
  }
  return { quantity, ...(planId === plan.id ? {} : { plan_id: planId }) };
}

/** The plan that the subscription has, even if it is not on sale any more, and those that it can change to. */
export function planChoices({ plan }: Subscription, plans: readonly Plan[]) {
  const others = plans.filter(
    ({ id, currency, contact_sales: isContact }) => id !== plan.id && currency === plan.currency && isContact !== true,
  );
  return [plan, ...others].flatMap(({ id, name, price, currency }) =>
    price === null ? [] : [{ id, name, price, currency }],
  );
}

/** The number of seats that a link asks for, as on the demand of a license. */
export function readSeats(search: Record<string, unknown>): number | undefined {
  const seats = Number(search.seats);
  return Number.isInteger(seats) && seats > 0 && seats <= MOST ? seats : undefined;
}
