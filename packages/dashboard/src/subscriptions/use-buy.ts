import type { CreatedSubscription } from '@seathold/client';
import { useRef } from 'react';
import { api } from '../api/index.ts';
import { CHANGED_BY_PAYMENTS } from '../billing/changed-by-payments.ts';
import { createTestCard } from '../billing/create-test-card.ts';
import type { TestCard } from '../billing/test-cards.ts';
import { useOrderKey } from '../billing/use-order-key.ts';
import { useAction } from '../ui/index.ts';
import { useSubscriptionsText } from './messages.ts';

export interface Order {
  planId: string;
  quantity: number;
  coupon: string;
  /** The id of a stored payment method, or a test card. */
  payment: string | TestCard;
}

/** Places an order. */
export function useBuy(bought: (subscription: CreatedSubscription) => void) {
  const t = useSubscriptionsText();
  const { keyOf, ended } = useOrderKey();
  // A repeated order has the same body, with the card created for it.
  const cards = useRef(new Map<string, string>());
  return useAction(
    async (order: Order) => {
      const { planId, quantity, coupon, payment } = order;
      const key = keyOf(order);
      const card = typeof payment === 'string' ? payment : (cards.current.get(key) ?? (await createTestCard(payment)));
      cards.current.set(key, card);
      const body = {
        plan_id: planId,
        quantity,
        payment_method_id: card,
        ...(coupon === '' ? {} : { coupon_code: coupon }),
      };
      try {
        const created = await api().subscriptions.create(body, { idempotencyKey: key });
        ended();
        return created;
      } catch (error) {
        ended(error);
        throw error;
      }
    },
    {
      refreshes: CHANGED_BY_PAYMENTS,
      says: ({ status, requires_action: isNeeded }) =>
        t(isNeeded ? 'needs_authentication' : status === 'active' ? 'bought' : 'processing'),
      succeeds: bought,
    },
  );
}
