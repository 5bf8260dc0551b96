import { SeatholdError } from '@seathold/client';
import { useSubscriptionsText } from './messages.ts';

const REASONS = ['unknown', 'ended', 'used_up', 'already_redeemed', 'currency'] as const;

/** Explains why a coupon is refused, next to its field; undefined for every other problem. */
export function useCouponProblem(): (error: unknown) => string | undefined {
  const t = useSubscriptionsText();
  return (error) => {
    if (!(error instanceof SeatholdError) || error.details.field !== 'coupon_code') {
      return undefined;
    }
    const reason = REASONS.find((each) => each === error.details.reason);
    return reason === undefined ? error.message : t(`coupon_refused_${reason}`);
  };
}
