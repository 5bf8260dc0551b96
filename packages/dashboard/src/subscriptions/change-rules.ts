import type { Plan, Subscription } from '@seathold/client';

const MOST = 10_000;

/** The change; undefined if there is none, or the number of seats is invalid. */
export function changeOf({ plan, quantity: before }: Subscription, typed: string, planId: string) {
  const quantity = Number(typed);
  const isNumber = typed.trim() !== '' && Number.isInteger(quantity) && quantity >= 1 && quantity <= MOST;
  if (!isNumber || (quantity === before && planId === plan.id)) {
    return undefined;
  }
  return { quantity, ...(planId === plan.id ? {} : { plan_id: planId }) };
}

/** The subscription's plan, even if it is no longer on sale, and those that it can change to. */
export function planChoices({ plan }: Subscription, plans: readonly Plan[]) {
  const others = plans.filter(
    ({ id, currency, contact_sales: isContact }) => id !== plan.id && currency === plan.currency && isContact !== true,
  );
  return [plan, ...others].flatMap(({ id, name, price, currency }) =>
    price === null ? [] : [{ id, name, price, currency }],
  );
}

/** The number of seats in a link, for example from the demand of a license. */
export function readSeats(search: Record<string, unknown>): number | undefined {
  const seats = Number(search.seats);
  return Number.isInteger(seats) && seats > 0 && seats <= MOST ? seats : undefined;
}
