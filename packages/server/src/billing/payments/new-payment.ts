import { newId } from '../../ids/index.ts';
import type { Books } from '../books/books.ts';
import type { PaymentState } from './payment-state.ts';
import type { RequestKey } from './request-key.ts';

/** What is charged to. */
export interface ChargedMethod {
  id: string;
  provider_ref: string;
  /** Whether it may be charged while the customer is away; one that was never charged may not. */
  has_mandate?: boolean;
}

/**
 * Writes a payment that whoever holds the books collects after the commit; for a minute nobody else does. The customer of
 * the account is known: a method was attached.
 */
export function beginPayment(
  books: Books,
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
  const { customerRef } = books.account;
  const provider = books.tools.provider?.name;
  if (customerRef === null || provider === undefined) {
    throw new Error('a payment wants a customer and a provider');
  }
  const payment: PaymentState = {
    ...rest,
    organizationId: books.organizationId,
    id: newId('payment'),
    setsUpMandate: rest.isOnSession && method.has_mandate !== true,
    paymentMethodId: method.id,
    methodRef: method.provider_ref,
    customerRef,
    provider,
    providerRef: null,
    status: 'pending',
    declineCode: null,
    nextCheckAtMs: books.nowMs,
    checks: 0,
    requestKey: request?.key ?? null,
    requestHash: request?.hash ?? null,
    createdAtMs: books.nowMs,
    settledAtMs: null,
  };
  books.payments.set(payment.id, payment);
  books.claimed.push(payment);
  return payment;
}
