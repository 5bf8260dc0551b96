import { Type } from 'typebox';
import { ApiError, type ErrorDefinition } from '../http/index.ts';
import { idPattern } from '../ids/index.ts';

/** The error codes of this room (contract §3). */
export const BILLING_ERRORS = {
  payment_failed: {
    status: 422,
    details: Type.Object({ decline_code: Type.String({ description: 'The decline code from the payment provider.' }) }),
    when: 'The card was declined. Nothing was purchased or changed.',
  },
  payment_method_in_use: {
    status: 409,
    details: Type.Object({ subscription_ids: Type.Array(Type.String({ pattern: idPattern('subscription') })) }),
    when: 'The only payment method of a live subscription cannot be deleted.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** The refusal of a charge, or of a card that was to be stored. */
export function paymentFailed(declineCode: string): ApiError {
  const message =
    declineCode === 'no_payment_method'
      ? 'There is no payment method to charge. Attach one first.'
      : `The card was declined (${declineCode}). Use a different card.`;
  return new ApiError('payment_failed', BILLING_ERRORS.payment_failed, message, {
    details: { decline_code: declineCode },
  });
}

/** The refusal to delete a payment method that live subscriptions depend on. */
export function paymentMethodInUse(subscriptionIds: readonly string[]): ApiError {
  return new ApiError(
    'payment_method_in_use',
    BILLING_ERRORS.payment_method_in_use,
    'This is the only payment method of a live subscription. Attach another one first.',
    { details: { subscription_ids: subscriptionIds } },
  );
}

/** Declines after which the same card is not retried: a retry costs money and never succeeds. */
const HARD_DECLINES: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'fraudulent',
  'incorrect_number',
  'invalid_account',
  'expired_card',
  'restricted_card',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'stop_payment_order',
  'security_violation',
  'card_not_supported',
  'not_permitted',
  'invalid_expiry_year',
  'incorrect_cvc',
  'previously_declined_do_not_retry',
  'no_payment_method',
]);

/** Whether a decline is final for the card. */
export function isHardDecline(declineCode: string): boolean {
  return HARD_DECLINES.has(declineCode);
}
