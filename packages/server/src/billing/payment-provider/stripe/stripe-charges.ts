import type Stripe from 'stripe';
import { isHardDecline } from '../../errors.ts';
import { chargeKeyOf, metadataOf } from '../charge-metadata.ts';
import type { Charge, ChargeOutcome, LookupOutcome, PaymentProvider } from '../payment-provider.ts';
import { declineOf, type IntentState, stateOfIntent } from './intent-outcome.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { isMethodGone } from './stripe-methods.ts';
import type { Refusal, StripeAnswer, StripeRequests } from './stripe-requests.ts';

type Charges = Pick<PaymentProvider, 'prepare' | 'confirm' | 'lookup' | 'cancel'>;

/** Charges as PaymentIntents: created, then confirmed, so that the intent's ID is known before any money can move. */
export function createStripeCharges(requests: StripeRequests): Charges {
  return {
    prepare: (charge) => prepare(requests, charge),
    confirm: (charge) => confirm(requests, charge),
    lookup: ({ paymentRef }) => lookUp(requests, paymentRef),
    cancel: async ({ paymentRef }) => settledOf(await cancel(requests, paymentRef)),
  };
}

async function prepare(requests: StripeRequests, charge: Charge): ReturnType<Charges['prepare']> {
  const answer = await requests.sendOnce<Stripe.PaymentIntent>(
    'payment_intent',
    `prepare-${chargeKeyOf(charge)}`,
    (client, options) => client.paymentIntents.create(intentOf(charge), options),
  );
  if (answer.kind === 'answered') {
    return { kind: 'prepared', paymentRef: answer.value.id, clientSecret: answer.value.client_secret ?? '' };
  }
  return answer.kind === 'unknown' ? answer : explainRefusedPreparation(requests, charge, answer.refusal);
}

/** Nothing in it is time-dependent, so a repetition is the same request. */
function intentOf(charge: Charge): Stripe.PaymentIntentCreateParams {
  return {
    amount: toStripeAmount(charge.amount, charge.currency),
    currency: charge.currency,
    customer: charge.customerRef,
    payment_method: charge.methodRef,
    allowed_payment_method_types: ['card'],
    // Stripe refuses an empty text as an attempt to unset it.
    ...(charge.description === '' ? {} : { description: charge.description.slice(0, MAX_DESCRIPTION) }),
    metadata: metadataOf(charge),
  };
}

const MAX_DESCRIPTION = 500;

/** Only a problem with the card or the amount is a decline. An invalid request of ours is not the customer's fault. */
async function explainRefusedPreparation(requests: StripeRequests, charge: Charge, refusal: Refusal) {
  if (refusal.isCardError) {
    return declineOf(refusal);
  }
  if (refusal.param === 'amount' || refusal.param === 'currency') {
    return { kind: 'declined', declineCode: refusal.code || `invalid_${refusal.param}`, isHard: false } as const;
  }
  if (await isMethodGone(requests, charge.methodRef, charge.customerRef)) {
    return NO_METHOD;
  }
  return { kind: 'unknown', reason: `stripe: refused ${refusal.code} ${refusal.param}`.trimEnd() } as const;
}

const NO_METHOD = {
  kind: 'declined',
  declineCode: 'no_payment_method',
  isHard: isHardDecline('no_payment_method'),
} as const;

async function confirm(requests: StripeRequests, charge: Charge & { paymentRef: string }): Promise<ChargeOutcome> {
  const { paymentRef } = charge;
  const answer = await requests.sendOnce<Stripe.PaymentIntent>(
    'payment_intent',
    confirmationKeyOf(charge),
    (client, options) => client.paymentIntents.confirm(paymentRef, confirmationOf(charge), options),
  );
  if (answer.kind === 'unknown') {
    return answer;
  }
  if (answer.kind === 'refused' && answer.refusal.isCardError) {
    const decline = declineOf(answer.refusal);
    return settledOf(await closeFailed(requests, paymentRef, { kind: 'failed', decline }));
  }
  // A stored response, or a refusal because it is already confirmed, may be out of date, so look up its current state.
  const isNow = answer.kind === 'answered' && !answer.isReplay;
  const state = isNow
    ? await closeFailed(requests, paymentRef, stateOf(answer, paymentRef))
    : await lookUp(requests, paymentRef);
  if (state.kind === 'unconfirmed' && answer.kind === 'refused') {
    return explainRefusedConfirmation(requests, charge, answer.refusal);
  }
  return settledOf(state);
}

/** We confirm each intent once, for any purpose. Payments of an earlier version keep that version's key. */
function confirmationKeyOf({ attemptId, reason, paymentRef }: Charge & { paymentRef: string }): string {
  return reason === undefined ? `confirm-${attemptId}` : `confirm-${paymentRef}`;
}

/** Without the card: a failed intent has lost its card, so a repetition cannot charge it again. */
function confirmationOf({ isOnSession, setsUpMandate }: Charge): Stripe.PaymentIntentConfirmParams {
  if (!isOnSession) {
    return { off_session: true };
  }
  // The customer authenticates in a page that uses Stripe.js, so there is no return URL. A mandate is requested only if
  // the card has none: asking again makes the customer authenticate again.
  return { use_stripe_sdk: true, ...(setsUpMandate ? { setup_future_usage: 'off_session' } : {}) };
}

/** Stripe collected nothing and refuses to. That is final only if the card is gone. */
async function explainRefusedConfirmation(
  requests: StripeRequests,
  charge: Charge & { paymentRef: string },
  refusal: Refusal,
): Promise<ChargeOutcome> {
  if (!(await isMethodGone(requests, charge.methodRef, charge.customerRef))) {
    return { kind: 'unknown', reason: `stripe: refused ${refusal.code} ${refusal.param}`.trimEnd() };
  }
  return closeFailed(requests, charge.paymentRef, { kind: 'failed', decline: NO_METHOD }).then(settledOf);
}

async function lookUp(requests: StripeRequests, paymentRef: string): Promise<LookupOutcome> {
  return closeFailed(requests, paymentRef, await retrieve(requests, paymentRef));
}

async function retrieve(requests: StripeRequests, paymentRef: string): Promise<IntentState> {
  const answer = await requests.send<Stripe.PaymentIntent>('payment_intent', (client) =>
    client.paymentIntents.retrieve(paymentRef),
  );
  return stateOf(answer, paymentRef);
}

/** Without an idempotency key: canceling twice is harmless, and a stored answer would be out of date. */
async function cancel(requests: StripeRequests, paymentRef: string): Promise<LookupOutcome> {
  const answer = await requests.send<Stripe.PaymentIntent>('payment_intent', (client) =>
    client.paymentIntents.cancel(paymentRef),
  );
  if (answer.kind === 'unknown') {
    return answer;
  }
  // Refused because it succeeded, was canceled or is being processed by the bank: look up which.
  const state = answer.kind === 'answered' ? stateOf(answer, paymentRef) : await retrieve(requests, paymentRef);
  return state.kind === 'failed' ? { kind: 'unknown', reason: 'stripe: a failed payment cannot be closed' } : state;
}

/**
 * After a decline or a failed authentication, anyone who holds the intent's secret can still pay it with another card,
 * long after we booked the decline. So it is canceled first, and its state after that is the outcome: it may have been
 * paid in between.
 */
async function closeFailed(requests: StripeRequests, paymentRef: string, state: IntentState): Promise<LookupOutcome> {
  if (state.kind !== 'failed') {
    return state;
  }
  const closed = await cancel(requests, paymentRef);
  return closed.kind === 'canceled' || closed.kind === 'declined' ? state.decline : closed;
}

function stateOf(answer: StripeAnswer<Stripe.PaymentIntent>, paymentRef: string): IntentState {
  if (answer.kind === 'unknown') {
    return answer;
  }
  if (answer.kind === 'refused') {
    return { kind: 'unknown', reason: `stripe: refused ${answer.refusal.code}` };
  }
  return answer.value.id === paymentRef
    ? stateOfIntent(answer.value)
    : { kind: 'unknown', reason: 'stripe: an answer about another payment' };
}

/** If it still waits to be confirmed after a confirmation or cancellation, neither arrived. */
function settledOf(state: LookupOutcome): ChargeOutcome {
  return state.kind === 'unconfirmed' ? { kind: 'unknown', reason: 'stripe: it still waits to be confirmed' } : state;
}
