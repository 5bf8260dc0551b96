import type Stripe from 'stripe';
import { isHardDecline } from '../../errors.ts';
import type { ChargeOutcome, LookupOutcome } from '../payment-provider.ts';
import type { Refusal } from './stripe-requests.ts';

/**
 * The state of a PaymentIntent. The holder of its secret can still pay a `failed` one, so it is not a decline until it
 * is closed.
 */
export type IntentState = LookupOutcome | { kind: 'failed'; decline: Decline };

type Decline = Extract<ChargeOutcome, { kind: 'declined' }>;

/** A response of Stripe that does not match the types is `unknown`, never guessed. */
export function stateOfIntent(intent: Stripe.PaymentIntent): IntentState {
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'succeeded' };
    case 'requires_action':
      return typeof intent.client_secret === 'string'
        ? { kind: 'requires_action', clientSecret: intent.client_secret }
        : { kind: 'unknown', reason: 'stripe: an action is required and no secret was given' };
    case 'processing':
      return { kind: 'processing' };
    case 'requires_confirmation':
      return { kind: 'unconfirmed' };
    case 'requires_payment_method':
      return { kind: 'failed', decline: declineOfPaymentError(intent.last_payment_error) };
    case 'canceled':
      // A failed payment is canceled to close it. Its outcome is still the reason for its failure.
      return intent.last_payment_error ? declineOfPaymentError(intent.last_payment_error) : { kind: 'canceled' };
    default:
      return { kind: 'unknown', reason: 'stripe: a payment intent of a status that is not expected' };
  }
}

/** The decline of a card as the outcome of a charge. */
export function declineOf({ declineCode, code, isForGood }: Refusal): Decline {
  const given = declineCode || code || 'card_declined';
  const known = given === 'payment_intent_authentication_failure' ? 'authentication_failed' : given;
  return { kind: 'declined', declineCode: known, isHard: isForGood || isHardDecline(known) };
}

/** Without an error, the card is gone and the payment was never attempted. */
function declineOfPaymentError(error: Stripe.PaymentIntent.LastPaymentError | null | undefined): Decline {
  if (error === null || error === undefined) {
    return { kind: 'declined', declineCode: 'no_payment_method', isHard: isHardDecline('no_payment_method') };
  }
  return declineOf({
    isCardError: true,
    declineCode: error.decline_code ?? '',
    code: error.code ?? '',
    param: '',
    isForGood: error.advice_code === 'do_not_try_again',
  });
}
