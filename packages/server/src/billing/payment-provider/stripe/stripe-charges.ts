import type Stripe from 'stripe';
import { chargeKeyOf, metadataOf } from '../charge-metadata.ts';
import {
  type Charge,
  type ChargeOutcome,
  isHardDecline,
  type LookupOutcome,
  type PaymentProvider,
} from '../payment-provider.ts';
import { type IntentState, readDecline, readIntent } from './intent-outcome.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { isMethodGone } from './stripe-methods.ts';
import type { Asked, Refusal, StripeRequests } from './stripe-requests.ts';

type Charges = Pick<PaymentProvider, 'prepare' | 'confirm' | 'lookup' | 'cancel'>;

/** Charges as PaymentIntents: made, then confirmed, so that the intent's name is known before any money can move. */
export function createStripeCharges(desk: StripeRequests): Charges {
  return {
    prepare: (charge) => prepare(desk, charge),
    confirm: (charge) => confirm(desk, charge),
    lookup: ({ paymentRef }) => lookUp(desk, paymentRef),
    cancel: async ({ paymentRef }) => settledOf(await cancel(desk, paymentRef)),
  };
}

async function prepare(desk: StripeRequests, charge: Charge): ReturnType<Charges['prepare']> {
  const asked = await desk.askOnce<Stripe.PaymentIntent>(
    'payment_intent',
    `prepare-${chargeKeyOf(charge)}`,
    (client, options) => client.paymentIntents.create(intentOf(charge), options),
  );
  if (asked.kind === 'answered') {
    return { kind: 'prepared', paymentRef: asked.value.id, clientSecret: asked.value.client_secret ?? '' };
  }
  return asked.kind === 'unknown' ? asked : readPreparing(desk, charge, asked.refusal);
}

/** Nothing in it depends on the time, so that a repetition is the same request. */
function intentOf(charge: Charge): Stripe.PaymentIntentCreateParams {
  return {
    amount: toStripeAmount(charge.amount, charge.currency),
    currency: charge.currency,
    customer: charge.customerRef,
    payment_method: charge.methodRef,
    allowed_payment_method_types: ['card'],
    // An empty text is refused as an attempt to unset it.
    ...(charge.description === '' ? {} : { description: charge.description.slice(0, MAX_DESCRIPTION) }),
    metadata: metadataOf(charge),
  };
}

const MAX_DESCRIPTION = 500;

/** Only what is wrong with this card or this amount is a decline; a request that we made badly is not the customer's. */
async function readPreparing(desk: StripeRequests, charge: Charge, refusal: Refusal) {
  if (refusal.isCardError) {
    return readDecline(refusal);
  }
  if (refusal.param === 'amount' || refusal.param === 'currency') {
    return { kind: 'declined', declineCode: refusal.code || `invalid_${refusal.param}`, isHard: false } as const;
  }
  if (await isMethodGone(desk, charge.methodRef, charge.customerRef)) {
    return NO_METHOD;
  }
  return { kind: 'unknown', reason: `stripe: refused ${refusal.code} ${refusal.param}`.trimEnd() } as const;
}

const NO_METHOD = {
  kind: 'declined',
  declineCode: 'no_payment_method',
  isHard: isHardDecline('no_payment_method'),
} as const;

async function confirm(desk: StripeRequests, charge: Charge & { paymentRef: string }): Promise<ChargeOutcome> {
  const { paymentRef } = charge;
  const asked = await desk.askOnce<Stripe.PaymentIntent>(
    'payment_intent',
    confirmationKeyOf(charge),
    (client, options) => client.paymentIntents.confirm(paymentRef, confirmationOf(charge), options),
  );
  if (asked.kind === 'unknown') {
    return asked;
  }
  if (asked.kind === 'refused' && asked.refusal.isCardError) {
    const decline = readDecline(asked.refusal);
    return settledOf(await closeFailed(desk, paymentRef, { kind: 'failed', decline }));
  }
  // An answer that was kept, or a refusal because it is confirmed already, says how it stood once: how does it stand now?
  const isNow = asked.kind === 'answered' && !asked.isReplay;
  const state = isNow
    ? await closeFailed(desk, paymentRef, readState(asked, paymentRef))
    : await lookUp(desk, paymentRef);
  if (state.kind === 'unconfirmed' && asked.kind === 'refused') {
    return readRefusedConfirmation(desk, charge, asked.refusal);
  }
  return settledOf(state);
}

/** We confirm each intent once, for any purpose. Payments of an earlier version keep that version's key. */
function confirmationKeyOf({ attemptId, reason, paymentRef }: Charge & { paymentRef: string }): string {
  return reason === undefined ? `confirm-${attemptId}` : `confirm-${paymentRef}`;
}

/** Never with the card again: an intent that failed has lost its card, so a repetition cannot try it once more. */
function confirmationOf({ isOnSession, setsUpMandate }: Charge): Stripe.PaymentIntentConfirmParams {
  if (!isOnSession) {
    return { off_session: true };
  }
  // The customer authenticates in a page that uses Stripe.js, so there is no address to send them back to.
  // A mandate is asked for only where the card has none: asking again makes the customer authenticate again.
  return { use_stripe_sdk: true, ...(setsUpMandate ? { setup_future_usage: 'off_session' } : {}) };
}

/** Nothing was collected and Stripe will not: for good only when the card is gone. */
async function readRefusedConfirmation(
  desk: StripeRequests,
  charge: Charge & { paymentRef: string },
  refusal: Refusal,
): Promise<ChargeOutcome> {
  if (!(await isMethodGone(desk, charge.methodRef, charge.customerRef))) {
    return { kind: 'unknown', reason: `stripe: refused ${refusal.code} ${refusal.param}`.trimEnd() };
  }
  return closeFailed(desk, charge.paymentRef, { kind: 'failed', decline: NO_METHOD }).then(settledOf);
}

async function lookUp(desk: StripeRequests, paymentRef: string): Promise<LookupOutcome> {
  return closeFailed(desk, paymentRef, await retrieve(desk, paymentRef));
}

async function retrieve(desk: StripeRequests, paymentRef: string): Promise<IntentState> {
  const asked = await desk.ask<Stripe.PaymentIntent>('payment_intent', (client) =>
    client.paymentIntents.retrieve(paymentRef),
  );
  return readState(asked, paymentRef);
}

/** No key of ours: canceling twice is as good as once, and an answer that was kept would be out of date. */
async function cancel(desk: StripeRequests, paymentRef: string): Promise<LookupOutcome> {
  const asked = await desk.ask<Stripe.PaymentIntent>('payment_intent', (client) =>
    client.paymentIntents.cancel(paymentRef),
  );
  if (asked.kind === 'unknown') {
    return asked;
  }
  // Refused because it succeeded, was canceled or is in the bank's hands: which of them?
  const state = asked.kind === 'answered' ? readState(asked, paymentRef) : await retrieve(desk, paymentRef);
  return state.kind === 'failed' ? { kind: 'unknown', reason: 'stripe: a failed payment cannot be closed' } : state;
}

/**
 * After a decline or a failed authentication, anyone who holds the intent's secret can still pay it with another card,
 * long after we booked the decline. So it is canceled first, and how it stands then is the outcome: it may have been
 * paid in between.
 */
async function closeFailed(desk: StripeRequests, paymentRef: string, state: IntentState): Promise<LookupOutcome> {
  if (state.kind !== 'failed') {
    return state;
  }
  const closed = await cancel(desk, paymentRef);
  return closed.kind === 'canceled' || closed.kind === 'declined' ? state.decline : closed;
}

function readState(asked: Asked<Stripe.PaymentIntent>, paymentRef: string): IntentState {
  if (asked.kind === 'unknown') {
    return asked;
  }
  if (asked.kind === 'refused') {
    return { kind: 'unknown', reason: `stripe: refused ${asked.refusal.code}` };
  }
  return asked.value.id === paymentRef
    ? readIntent(asked.value)
    : { kind: 'unknown', reason: 'stripe: an answer about another payment' };
}

/** After a confirmation or a cancellation, one that still waits to be confirmed means that neither arrived. */
function settledOf(state: LookupOutcome): ChargeOutcome {
  return state.kind === 'unconfirmed' ? { kind: 'unknown', reason: 'stripe: it still waits to be confirmed' } : state;
}
