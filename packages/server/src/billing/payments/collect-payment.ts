import { createHash } from 'node:crypto';
import type { BillingTools } from '../billing-tools.ts';
import { withLedger } from '../ledger/ledger.ts';
import { findPayment, updatePaymentRefs } from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import type { Charge, PaymentProvider } from '../payment-provider/payment-provider.ts';
import type { ChargeReason } from '../payment-provider/provider-charge.ts';
import type { ProviderCharges } from './charge-recovery.ts';
import { type Collected, type CollectOutcome, settlePayment } from './settle-payment.ts';

/**
 * Collects a payment at the provider, outside any transaction: it is prepared there, its reference is stored, and only
 * then is it charged. If a response is lost, the payment can be looked up, and is never charged twice. The caller holds
 * its claim. Idempotent.
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
  const charges = await tools.recovery.findCharges(provider, [payment], nowMs);
  const prepared = await preparePayment(tools, provider, payment, nowMs, charges);
  if (prepared.kind !== 'prepared') {
    return prepared;
  }
  const { ref, secret, attempt } = prepared;
  const { organizationId, id } = payment;
  const waiting = await updatePaymentRefs(tools.database, {
    organizationId,
    provider: payment.provider,
    prepared: [{ id, ref, attempt }],
    now: tools.clock.nowMs(),
  });
  // Another process settled it in the meantime: charge nothing, and leave nothing open at the provider.
  return waiting.includes(id)
    ? { ...(await confirmPrepared(tools, provider, payment, prepared, nowMs)), secret }
    : provider.cancel({ paymentRef: ref, nowMs });
}

/**
 * Looks up a payment whose outcome is unknown. If the charge was never confirmed, an invoice is collected under the
 * same attempt, but a purchase or change is canceled, because the customer got no response.
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

/** Cancels a payment if that is still possible, and records its outcome, which may be that it succeeded after all. */
export async function cancelPayment(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  nowMs: number,
): Promise<void> {
  const paymentRef = payment.providerRef ?? (await cancelUnprepared(tools, payment));
  if (paymentRef !== null) {
    const outcome = await provider.cancel({ paymentRef, nowMs });
    await withLedger(tools.database, tools, payment.organizationId, (ledger) =>
      settlePayment(ledger, payment.id, outcome),
    );
  }
}

/**
 * Cancels a payment that the provider does not know. Returns its reference there if it was prepared in the meantime.
 */
async function cancelUnprepared(tools: BillingTools, { organizationId, id }: PaymentState): Promise<string | null> {
  return withLedger(tools.database, tools, organizationId, async (ledger) => {
    const known = await findPayment(ledger.tx, { organizationId, id });
    if (known === undefined || known.providerRef !== null) {
      return known?.providerRef ?? null;
    }
    await settlePayment(ledger, id, { kind: 'canceled' });
    return null;
  });
}

/** A payment that the provider knows and has not charged yet. */
export interface PreparedPayment {
  kind: 'prepared';
  ref: string;
  /** The secret with which the customer's program confirms it. */
  secret: string;
  /** Its attempt number at the provider. */
  attempt: number | null;
  /** Whether it existed already and its record was lost. It may even have been charged. */
  isRecovered: boolean;
}

/** Prepares a payment at the provider, unless it exists there. `charges`: the provider's charges for it. */
export async function preparePayment(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  nowMs: number,
  charges: ProviderCharges,
): Promise<PreparedPayment | CollectOutcome> {
  const recovered = await tools.recovery.recoverCharge(provider, payment, charges.get(payment.id), nowMs);
  if (recovered.kind === 'found') {
    return { kind: 'prepared', ref: recovered.paymentRef, secret: '', attempt: recovered.attempt, isRecovered: true };
  }
  if (recovered.kind !== 'nothing') {
    return recovered;
  }
  const { attempt } = recovered;
  const prepared = await provider.prepare(chargeOf({ ...payment, attempt }, nowMs));
  switch (prepared.kind) {
    case 'prepared':
      return {
        kind: 'prepared',
        ref: prepared.paymentRef,
        secret: prepared.clientSecret,
        attempt,
        isRecovered: false,
      };
    case 'declined':
      return prepared;
    case 'unknown':
      tools.log.warn({ payment: payment.id, reason: prepared.reason }, 'the payment provider did not answer');
      return { kind: 'unreachable' };
  }
}

/** Lets the provider charge a prepared payment, unless it was charged before its record was lost. */
export async function confirmPrepared(
  tools: BillingTools,
  provider: PaymentProvider,
  payment: PaymentState,
  { ref, isRecovered }: PreparedPayment,
  nowMs: number,
): Promise<CollectOutcome> {
  const found = isRecovered ? await provider.lookup({ paymentRef: ref, nowMs }) : undefined;
  return found === undefined || found.kind === 'unconfirmed'
    ? confirmPayment(tools, provider, payment, ref, nowMs)
    : found;
}

/** Lets the provider charge a prepared payment. The reference is stored first, so that it can be looked up. */
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
  // A lost response can usually be read by repeating the request immediately.
  tools.log.warn({ payment: payment.id, reason: outcome.reason }, 'the outcome of a payment is unknown');
  const found = await provider.lookup({ paymentRef, nowMs });
  return found.kind === 'unconfirmed' ? outcome : found;
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

/** Undefined for payments that an earlier version began, which are charged under the key of their ID. */
function reasonOf(payment: PaymentState): ChargeReason | undefined {
  const { subscriptionId, periodIndex, periodStartMs, attempt, intent } = payment;
  if (periodIndex === null || periodStartMs === null || attempt === null) {
    return undefined;
  }
  const order = intent.kind === 'collect' ? null : { planId: intent.planId, quantity: intent.quantity };
  return { subscriptionId, periodIndex, periodStartMs, attempt, order, request: requestDigestOf(payment) };
}

/**
 * The digest that the provider stores of the request that began a purchase, if it had an Idempotency-Key. If the
 * request is repeated after the rows of the first run were lost, this finds the payment. Null for everything else,
 * which is found by its subscription.
 */
export function requestDigestOf({ purpose, requestKey, requestHash }: PaymentState): string | null {
  return purpose !== 'create' || requestKey === null || requestHash === null
    ? null
    : createHash('sha256').update(requestKey).update(requestHash).digest('hex').slice(0, DIGEST_DIGITS);
}

const DIGEST_DIGITS = 40;
