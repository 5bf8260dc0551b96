import { randomBytes } from 'node:crypto';
import type {
  AttachedMethod,
  Charge,
  ChargeOutcome,
  PaymentProvider,
} from '../../src/billing/payment-provider/payment-provider.ts';

/** A provider, opened for a test, with a function that answers a challenge like the customer. */
export interface ProviderUnderTest {
  provider: PaymentProvider;
  playCustomer(clientSecret: string, outcome: 'succeed' | 'fail'): Promise<void>;
  close(): Promise<void>;
}

export const NOW_MS = Date.UTC(2026, 10, 21, 12);

/** Looks like the ID of an organization or a payment, and is new each time. */
export function freshId(prefix: string): string {
  return `${prefix}_${randomBytes(13).toString('hex')}`;
}

/** An organization that is the provider's customer. */
export interface Payer {
  organizationId: string;
  customerRef: string;
}

export async function createPayer(provider: PaymentProvider, organizationId = freshId('org')): Promise<Payer> {
  const opened = await provider.createCustomer({ organizationId, name: 'Acme', email: 'billing@acme.example' });
  if (opened.kind !== 'ready') {
    throw new Error(`no customer: ${opened.reason}`);
  }
  return { organizationId, customerRef: opened.customerRef };
}

export async function attachCard(
  provider: PaymentProvider,
  { customerRef }: Payer,
  token: string,
): Promise<AttachedMethod> {
  const attached = await provider.attachMethod({ customerRef, token, nowMs: NOW_MS });
  if (attached.kind !== 'attached') {
    throw new Error(`${token} is ${attached.kind}`);
  }
  return attached.method;
}

/** A charge for a new attempt. */
export function chargeOf(payer: Payer, methodRef: string, given: Partial<Charge> = {}): Charge {
  return {
    attemptId: freshId('pay'),
    ...payer,
    amount: 14_500,
    currency: 'usd',
    methodRef,
    purpose: 'create',
    isOnSession: true,
    setsUpMandate: given.isOnSession ?? true,
    description: 'Pro, 5 seats',
    nowMs: NOW_MS,
    ...given,
  };
}

export async function prepared(provider: PaymentProvider, charge: Charge): Promise<Charge & { paymentRef: string }> {
  const outcome = await provider.prepare(charge);
  if (outcome.kind !== 'prepared') {
    throw new Error(`not prepared: ${JSON.stringify(outcome)}`);
  }
  return { ...charge, paymentRef: outcome.paymentRef };
}

/** A new customer pays once with a test card. */
export async function payWith(provider: PaymentProvider, token: string, given: Partial<Charge> = {}) {
  const payer = await createPayer(provider);
  const { ref } = await attachCard(provider, payer, token);
  const charge = await prepared(provider, chargeOf(payer, ref, given));
  return { payer, charge, outcome: await provider.confirm(charge) };
}

export function secretOf(outcome: ChargeOutcome): string {
  if (outcome.kind !== 'requires_action') {
    throw new Error(`the payment does not wait for authentication: ${outcome.kind}`);
  }
  return outcome.clientSecret;
}
