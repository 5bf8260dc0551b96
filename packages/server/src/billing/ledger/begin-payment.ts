import { newId } from '../../ids/index.ts';
import type { Ledger } from './ledger.ts';
import type { PaymentState, RequestKey } from './payment-state.ts';

/** What is charged to. */
export interface ChargedMethod {
  id: string;
  provider_ref: string;
  /** Whether it may be charged while the customer is away; one that was never charged may not. */
  has_mandate?: boolean;
}

/**
 * Writes a payment that the caller collects after the commit; no other process claims it for a minute. The customer of
 * the account is known: a method was attached.
 */
export function beginPayment(
  ledger: Ledger,
  given: Pick<
    PaymentState,
    'subscriptionId' | 'invoiceId' | 'purpose' | 'intent' | 'amount' | 'currency' | 'isOnSession'
  > & {
    /** What it is for: the provider's idempotency key is made of it. */
    periodIndex: number;
    periodStartMs: number;
    attempt: number;
    method: ChargedMethod;
    request?: RequestKey | undefined;
  },
): PaymentState {
  const { method, request, ...rest } = given;
  const { customerRef } = ledger.account;
  const provider = ledger.tools.provider?.name;
  if (customerRef === null || provider === undefined) {
    throw new Error('a payment wants a customer and a provider');
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
  ledger.claimed.push(payment);
  return payment;
}
