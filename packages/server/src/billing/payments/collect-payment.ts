import type { BillingTools } from '../billing-tools.ts';
import { keepBooks } from '../books/close-books.ts';
import type { Charge, PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { PaymentState } from './payment-state.ts';
import { findPayment, notePaymentRefs } from './queries.ts';
import { type Collected, type CollectOutcome, settlePayment } from './settle-payment.ts';

/**
 * Collects a payment at the provider, outside of any transaction: it is announced there, the provider's name for it is
 * written down, and only then is it charged. So whatever is lost on the way, it can be looked up, and the same payment
 * is never charged twice. To be called by whoever holds its claim, again and again if need be.
 */
export async function collectPayment(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  nowMs: number,
): Promise<Collected> {
  if (payment.providerRef !== null) {
    return confirmPayment(tools, provider, payment, payment.providerRef, nowMs);
  }
  const announced = await announcePayment(tools, provider, payment, nowMs);
  if ('kind' in announced) {
    return announced;
  }
  const { ref, secret } = announced;
  const waiting = await notePaymentRefs(tools.database, [{ payment, ref }]);
  // Somebody settled it meanwhile: then nothing is charged, and nothing is left open at the provider.
  return waiting.has(payment.id)
    ? { ...(await confirmPayment(tools, provider, payment, ref, nowMs)), secret }
    : provider.cancel({ paymentRef: ref, nowMs });
}

/** Lets the provider charge what was announced there. The name is written down before, so that it can be looked up. */
export async function confirmPayment(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  paymentRef: string,
  nowMs: number,
): Promise<CollectOutcome> {
  const outcome = await provider.confirm({ ...chargeOf(payment, nowMs), paymentRef });
  if (outcome.kind !== 'unknown') {
    return outcome;
  }
  // An answer that was lost is mostly there when it is asked for at once.
  tools.log.warn({ payment: payment.id, reason: outcome.reason }, 'the outcome of a payment is not known');
  const found = await provider.lookup({ paymentRef, nowMs });
  return found.kind === 'unconfirmed' ? outcome : found;
}

/**
 * Goes on with a payment whose outcome nobody knows: an invoice is collected again under the same attempt where the
 * provider was never told to charge; what a customer waited for is given up then, since they have been told nothing.
 */
export async function lookUpPayment(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  nowMs: number,
): Promise<CollectOutcome> {
  const isCollected = payment.intent.kind === 'collect';
  if (payment.providerRef === null) {
    return isCollected ? collectPayment(tools, provider, payment, nowMs) : { kind: 'unreachable' };
  }
  const found = await provider.lookup({ paymentRef: payment.providerRef, nowMs });
  if (found.kind !== 'unconfirmed') {
    return found;
  }
  return isCollected || payment.invoiceId !== null
    ? collectPayment(tools, provider, payment, nowMs)
    : provider.cancel({ paymentRef: payment.providerRef, nowMs });
}

/** Gives a payment up, if it can still be, and writes how it stands then, which may be that it succeeded after all. */
export async function cancelPayment(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  nowMs: number,
): Promise<void> {
  const paymentRef = payment.providerRef ?? (await giveUpUnannounced(tools, payment));
  if (paymentRef !== null) {
    const outcome = await provider.cancel({ paymentRef, nowMs });
    await keepBooks(tools, tools.database, payment.organizationId, (books) =>
      settlePayment(books, payment.id, outcome),
    );
  }
}

/** Gives up what the provider has not heard of; answers the provider's name for it where somebody announced it meanwhile. */
async function giveUpUnannounced(tools: BillingTools, { organizationId, id }: PaymentState): Promise<string | null> {
  return keepBooks(tools, tools.database, organizationId, async (books) => {
    const known = await findPayment(books.tx, organizationId, id);
    if (known === undefined || known.providerRef !== null) {
      return known?.providerRef ?? null;
    }
    await settlePayment(books, id, { kind: 'canceled' });
    return null;
  });
}

/** A payment as the provider knows it. */
export interface AnnouncedPayment {
  ref: string;
  /** What the customer's own program confirms it with. */
  secret: string;
}

/** Announces a payment at the provider: answers its name there, or why there is none. */
export async function announcePayment(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  nowMs: number,
): Promise<AnnouncedPayment | CollectOutcome> {
  const prepared = await provider.prepare(chargeOf(payment, nowMs));
  if (prepared.kind === 'unknown') {
    tools.log.warn({ payment: payment.id, reason: prepared.reason }, 'the payment provider gives no answer');
    return { kind: 'unreachable' };
  }
  return prepared.kind === 'declined' ? prepared : { ref: prepared.paymentRef, secret: prepared.clientSecret };
}

function chargeOf(payment: PaymentState, nowMs: number): Charge {
  return {
    attemptId: payment.id,
    organizationId: payment.organizationId,
    amount: payment.amount,
    currency: payment.currency,
    customerRef: payment.customerRef,
    methodRef: payment.methodRef,
    purpose: payment.purpose,
    isOnSession: payment.isOnSession,
    setsUpMandate: payment.setsUpMandate,
    description: payment.intent.kind === 'collect' ? 'Invoice' : (payment.intent.invoice.lines[0]?.description ?? ''),
    nowMs,
  };
}
