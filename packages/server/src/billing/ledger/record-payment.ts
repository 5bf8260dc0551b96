import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import { newId } from '../../ids/index.ts';
import { PAYMENT_CREDITED } from '../events.ts';
import type { Ledger } from './ledger.ts';
import type { Lateness, PaymentState, RequestKey } from './payment-state.ts';

/** What is charged to. */
export interface ChargedMethod {
  id: string;
  provider_ref: string;
  /** Whether it may be charged while the customer is away; one that was never charged may not. */
  has_mandate?: boolean;
}

/** A payment that begins. */
export interface NewPayment
  extends Pick<
    PaymentState,
    'subscriptionId' | 'invoiceId' | 'purpose' | 'intent' | 'amount' | 'currency' | 'isOnSession'
  > {
  /** What it is for: the provider's idempotency key is made of it. */
  periodIndex: number;
  periodStartMs: number;
  attempt: number;
  method: ChargedMethod;
  request?: RequestKey | undefined;
  /** The caller does not collect it: the job that looks payments up does, unless the caller settles it at once. */
  isLeftToJob?: boolean;
}

/**
 * Writes a payment that the caller collects after the commit; no other process claims it for a minute. The customer of
 * the account is known: a method was attached.
 */
export function beginPayment(ledger: Ledger, given: NewPayment): PaymentState {
  const { method, request, isLeftToJob = false, ...rest } = given;
  const { customerRef } = ledger.account;
  const provider = ledger.tools.provider?.name;
  if (customerRef === null || provider === undefined) {
    throw new Error('a payment needs a customer and a provider');
  }
  const payment: PaymentState = {
    ...rest,
    organizationId: ledger.organizationId,
    id: newId('payment'),
    setsUpMandate: rest.isOnSession && method.has_mandate !== true,
    paymentMethodId: method.id,
    methodRef: method.provider_ref,
    customerRef,
    provider,
    providerRef: null,
    status: 'pending',
    declineCode: null,
    nextCheckAtMs: ledger.nowMs,
    checks: 0,
    requestKey: request?.key ?? null,
    requestHash: request?.hash ?? null,
    createdAtMs: ledger.nowMs,
    settledAtMs: null,
  };
  ledger.payments.set(payment.id, payment);
  if (!isLeftToJob) {
    ledger.claimed.push(payment);
  }
  return payment;
}

/** Writes the outcome of a payment that is over. */
export function closePayment(
  ledger: Ledger,
  payment: PaymentState,
  status: 'succeeded' | 'declined' | 'canceled',
  declineCode: string | null = null,
): PaymentState {
  const settled: PaymentState = {
    ...payment,
    status,
    declineCode,
    settledAtMs: ledger.nowMs,
    nextCheckAtMs: null,
    // A request that was refused may be sent again under the same key, and is then tried again.
    requestKey: status === 'succeeded' ? payment.requestKey : null,
  };
  ledger.payments.set(settled.id, settled);
  return settled;
}

/**
 * Books a payment that succeeded too late, or whose record was lost, as credit, and notifies the customer, finance and
 * operators. Returns the payment as it is then.
 */
export async function creditLatePayment(
  ledger: Ledger,
  payment: PaymentState,
  lateness: Lateness,
): Promise<PaymentState> {
  const { amount, currency, subscriptionId, id: paymentId } = payment;
  // It paid no invoice, so it names none: a later payment may still pay the one that it was meant for.
  const settled = closePayment(ledger, { ...payment, invoiceId: null }, 'succeeded');
  await ledger.changeCredit({ currency, amount, reason: 'late_payment', subscriptionId, invoiceId: null, paymentId });
  const invoice = payment.invoiceId === null ? undefined : await ledger.invoice(payment.invoiceId);
  const balance = await ledger.credit(currency);
  ledger.events.push(() =>
    announcement(PAYMENT_CREDITED, {
      payment_id: paymentId,
      subscription_id: subscriptionId,
      invoice_id: invoice?.id ?? null,
      amount,
      currency,
      reason: lateness,
      credit_balance: balance,
      created_at: isoTime(ledger.nowMs),
    }),
  );
  const late = { payment: settled, lateness, invoiceNumber: invoice?.number ?? null, balance };
  ledger.notices.push({ kind: 'late_payment', late });
  return settled;
}
