import type Stripe from 'stripe';
import type { AttachOutcome, PaymentProvider } from '../payment-provider.ts';
import { declineOf } from './intent-outcome.ts';
import type { Refusal, StripeRequests } from './stripe-requests.ts';

type Methods = Pick<PaymentProvider, 'createCustomer' | 'attachMethod' | 'detachMethod'>;

/** Customers and their cards. */
export function createStripeMethods(requests: StripeRequests): Methods {
  return {
    createCustomer: (customer) => createCustomer(requests, customer),
    attachMethod: ({ customerRef, token }) => attach(requests, customerRef, token),
    detachMethod: ({ methodRef }) => detach(requests, methodRef),
  };
}

async function createCustomer(
  requests: StripeRequests,
  customer: Parameters<Methods['createCustomer']>[0],
): ReturnType<Methods['createCustomer']> {
  // Derived only from the organization's ID: with the name, a renamed organization would send another request under the
  // same key.
  const { organizationId, insteadOf } = customer;
  const key = insteadOf === undefined ? `org-${organizationId}` : `org-${organizationId}-after-${insteadOf}`;
  const made = await requests.sendOnce<Stripe.Customer>('customer', key, (client, options) =>
    client.customers.create({ metadata: { organization_id: organizationId } }, options),
  );
  if (made.kind !== 'answered') {
    return made.kind === 'unknown' ? made : { kind: 'unknown', reason: `stripe: refused ${made.refusal.code}` };
  }
  const { id } = made.value;
  // Shown in Stripe's dashboard. An email address that Stripe refuses must not prevent a payment.
  await requests.send<Stripe.Customer>('customer', (client) =>
    client.customers.update(id, {
      name: customer.name,
      ...(customer.email === undefined ? {} : { email: customer.email }),
    }),
  );
  return { kind: 'ready', customerRef: id };
}

/**
 * Without an idempotency key: attaching twice changes nothing, and a stored response would report a card as attached
 * that has been detached since. (Stripe's test cards such as pm_card_visa create a new card each time.)
 */
async function attach(requests: StripeRequests, customerRef: string, token: string): Promise<AttachOutcome> {
  if (!METHOD_REF.test(token)) {
    return { kind: 'refused', reason: 'unknown' };
  }
  const answer = await requests.send<Stripe.PaymentMethod>('payment_method', (client) =>
    client.paymentMethods.attach(token, { customer: customerRef }),
  );
  if (answer.kind === 'unknown') {
    return answer;
  }
  return answer.kind === 'answered'
    ? takeCard(requests, answer.value)
    : explainRefusedAttachment(requests, customerRef, token, answer.refusal);
}

/** It becomes part of a URL. */
const METHOD_REF = /^pm_[A-Za-z0-9_]{1,200}$/;

async function explainRefusedAttachment(
  requests: StripeRequests,
  customerRef: string,
  token: string,
  refusal: Refusal,
): Promise<AttachOutcome> {
  if (refusal.isCardError) {
    return { kind: 'declined', declineCode: declineOf(refusal).declineCode };
  }
  if (refusal.code === 'resource_missing' && refusal.param === 'customer') {
    return { kind: 'customer_gone' };
  }
  const found = await requests.send<Stripe.PaymentMethod>('payment_method', (client) =>
    client.paymentMethods.retrieve(token),
  );
  if (found.kind === 'unknown') {
    return found;
  }
  if (found.kind === 'refused') {
    return { kind: 'refused', reason: 'unknown' };
  }
  const owner = ownerOf(found.value);
  if (owner === customerRef) {
    return takeCard(requests, found.value);
  }
  // A detached one cannot be attached again.
  return { kind: 'refused', reason: owner === undefined ? 'unknown' : 'in_use' };
}

/** Only cards are charged, so any other kind of method is detached again. */
async function takeCard(requests: StripeRequests, method: Stripe.PaymentMethod): Promise<AttachOutcome> {
  const { card, id: ref } = method;
  if (method.type !== 'card' || card === undefined) {
    await detach(requests, ref);
    return { kind: 'refused', reason: 'unknown' };
  }
  return {
    kind: 'attached',
    method: { ref, brand: card.brand, last4: card.last4 ?? '', expMonth: card.exp_month, expYear: card.exp_year },
  };
}

async function detach(requests: StripeRequests, methodRef: string): ReturnType<Methods['detachMethod']> {
  const answer = await requests.send<Stripe.PaymentMethod>('payment_method', (client) =>
    client.paymentMethods.detach(methodRef),
  );
  if (answer.kind === 'unknown') {
    return answer;
  }
  if (answer.kind === 'answered' || answer.refusal.code === 'resource_missing') {
    return { kind: 'detached' };
  }
  const found = await requests.send<Stripe.PaymentMethod>('payment_method', (client) =>
    client.paymentMethods.retrieve(methodRef),
  );
  const isFree = found.kind === 'answered' && ownerOf(found.value) === undefined;
  return isFree ? { kind: 'detached' } : { kind: 'unknown', reason: `stripe: refused ${answer.refusal.code}` };
}

/** Whether a card can no longer pay for a customer, because it was detached or never belonged to them. */
export async function isMethodGone(requests: StripeRequests, methodRef: string, customerRef: string): Promise<boolean> {
  const found = await requests.send<Stripe.PaymentMethod>('payment_method', (client) =>
    client.paymentMethods.retrieve(methodRef),
  );
  return found.kind === 'refused' || (found.kind === 'answered' && ownerOf(found.value) !== customerRef);
}

function ownerOf({ customer }: Stripe.PaymentMethod): string | undefined {
  return typeof customer === 'string' ? customer : customer?.id;
}
