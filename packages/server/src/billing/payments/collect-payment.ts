import type { BillingTools } from '../billing-tools.ts';
import { findPayment, updatePaymentRefs } from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import { withLedger } from '../ledger/write-ledger.ts';
import type { Charge, PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { ChargeReason } from '../payment-provider/provider-charge.ts';
import { findHeldCharges, type HeldCharges } from './find-held-charges.ts';
import { requestDigestOf } from './request-digest.ts';
import { type Collected, type CollectOutcome, settlePayment } from './settle-payment.ts';
import { takeHeldCharge } from './take-held-charge.ts';

/**
 * Collects a payment at the provider, outside of any transaction: it is announced there, the provider's name for it is
 * written down, and only then is it charged. So if anything is lost on the way, the payment can be looked up, and is
 * never charged twice. The caller holds its claim, and may call this again and again.
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
  const held = await findHeldCharges(tools, provider, [payment], nowMs);
  const announced = await announcePayment(tools, provider, payment, nowMs, held);
  if ('kind' in announced) {
    return announced;
  }
  const { ref, secret, attempt } = announced;
  const { organizationId, id } = payment;
  const waiting = await updatePaymentRefs(tools.database, {
    organizationId,
    provider: payment.provider,
    announced: [{ id, ref, attempt }],
    now: tools.clock.nowMs(),
  });
  // Another process settled it in the meantime: charge nothing, and leave nothing open at the provider.
  return waiting.includes(id)
    ? { ...(await confirmAnnounced(tools, provider, payment, announced, nowMs)), secret }
    : provider.cancel({ paymentRef: ref, nowMs });
}

/** Lets the provider charge an announced payment, unless lost rows charged it before. */
export async function confirmAnnounced(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  { ref, isHeld }: AnnouncedPayment,
  nowMs: number,
): Promise<CollectOutcome> {
  const found = isHeld ? await provider.lookup({ paymentRef: ref, nowMs }) : undefined;
  return found === undefined || found.kind === 'unconfirmed'
    ? confirmPayment(tools, provider, payment, ref, nowMs)
    : found;
}

/** Lets the provider charge what was announced there. The name is written down before, so that it can be looked up. */
async function confirmPayment(
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
  // A lost answer can usually be read if it is asked for at once.
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
    await withLedger(tools.database, tools, payment.organizationId, (ledger) =>
      settlePayment(ledger, payment.id, outcome),
    );
  }
}

/**
 * Gives up a payment that the provider has not heard of. If it was announced meanwhile, returns the provider's name for
 * it.
 */
async function giveUpUnannounced(tools: BillingTools, { organizationId, id }: PaymentState): Promise<string | null> {
  return withLedger(tools.database, tools, organizationId, async (ledger) => {
    const known = await findPayment(ledger.tx, { organizationId, id });
    if (known === undefined || known.providerRef !== null) {
      return known?.providerRef ?? null;
    }
    await settlePayment(ledger, id, { kind: 'canceled' });
    return null;
  });
}

/** A payment as the provider knows it. */
export interface AnnouncedPayment {
  ref: string;
  /** What the customer's own program confirms it with. */
  secret: string;
  /** Its attempt number at the provider. */
  attempt: number | null;
  /** Whether it existed before, created by lost rows. */
  isHeld: boolean;
}

/**
 * Announces a payment at the provider, unless it is there already: returns its name there, or why there is none. `held` is
 * what the provider has for it; see find-held-charges.ts.
 */
export async function announcePayment(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  nowMs: number,
  held: HeldCharges,
): Promise<AnnouncedPayment | CollectOutcome> {
  const taken = await takeHeldCharge(tools, provider, payment, held.get(payment.id), nowMs);
  if (taken.kind === 'held') {
    return { ref: taken.paymentRef, secret: '', attempt: taken.attempt, isHeld: true };
  }
  if (taken.kind !== 'announce') {
    return taken;
  }
  const { attempt } = taken;
  const prepared = await provider.prepare(chargeOf({ ...payment, attempt }, nowMs));
  if (prepared.kind === 'unknown') {
    tools.log.warn({ payment: payment.id, reason: prepared.reason }, 'the payment provider gives no answer');
    return { kind: 'unreachable' };
  }
  return prepared.kind === 'declined'
    ? prepared
    : { ref: prepared.paymentRef, secret: prepared.clientSecret, attempt, isHeld: false };
}

function chargeOf(payment: PaymentState, nowMs: number): Charge {
  return {
    attemptId: payment.id,
    reason: reasonOf(payment),
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

/** Undefined for what an earlier version began: it is charged under the key of its id, as it was begun. */
function reasonOf(payment: PaymentState): ChargeReason | undefined {
  const { subscriptionId, periodIndex, periodStartMs, attempt, intent } = payment;
  if (periodIndex === null || periodStartMs === null || attempt === null) {
    return undefined;
  }
  const order = intent.kind === 'collect' ? null : { planId: intent.planId, quantity: intent.quantity };
  return { subscriptionId, periodIndex, periodStartMs, attempt, order, request: requestDigestOf(payment) };
}
