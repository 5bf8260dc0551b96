import { SeatholdError } from '@seathold/client';
import { useRef } from 'react';

interface OrderKey {
  /** The key of an order with this content. The same while the outcome of the last one is unknown. */
  keyOf: (content: unknown) => string;
  /** Reports the outcome of the order; undefined for a success. */
  ended: (error?: unknown) => void;
}

/**
 * The Idempotency-Key of an order. If the connection fails before the response arrives, and the person sends the same
 * order again, the service treats it as the same order, and does not charge twice.
 */
export function useOrderKey(): OrderKey {
  const unanswered = useRef<{ content: string; key: string }>(undefined);
  return {
    keyOf: (content) => {
      const text = JSON.stringify(content);
      if (unanswered.current?.content !== text) {
        unanswered.current = { content: text, key: crypto.randomUUID() };
      }
      return unanswered.current.key;
    },
    ended: (error) => {
      if (!(error instanceof SeatholdError) || error.status !== undefined) {
        unanswered.current = undefined;
      }
    },
  };
}
