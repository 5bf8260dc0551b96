import { useDebouncedValue } from '@mantine/hooks';
import type { OrderPreview, Plan } from '@seathold/client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';

/** The pause in typing before the price is requested. */
const PAUSE_MS = 250;

/** The cost of an order, updated while typing; undefined while there is nothing to order. */
export function useOrderPreview(order: {
  plan: Plan | undefined;
  seats: number;
  coupon: string;
}): UseQueryResult<OrderPreview> | undefined {
  const { plan, seats, coupon } = order;
  const isOrder = plan !== undefined && Number.isInteger(seats) && seats > 0 && seats <= mostSeatsOf(plan);
  const query = {
    plan_id: plan?.id ?? '',
    quantity: isOrder ? seats : 1,
    ...(coupon === '' ? {} : { coupon_code: coupon }),
  };
  const [settled] = useDebouncedValue(JSON.stringify(query), PAUSE_MS, { leading: true });
  const preview = useQuery({
    queryKey: ['subscriptions', 'order-preview', settled],
    queryFn: () => {
      const asked: typeof query = JSON.parse(settled);
      return api().subscriptions.getOrderPreview(asked);
    },
    enabled: isOrder,
    placeholderData: (before) => before,
    staleTime: 0,
  });
  return isOrder ? preview : undefined;
}

/** The maximum number of seats in one subscription to the plan. */
export function mostSeatsOf(plan: Plan | undefined): number {
  return plan === undefined || plan.features.seats === 'unlimited' ? MOST_SEATS : plan.features.seats;
}

const MOST_SEATS = 10_000;
