import type Stripe from 'stripe';
import type { ProviderEvent } from '../payment-provider.ts';
import type { StripeRequests } from './stripe-requests.ts';

/** Parses a webhook of Stripe. It is trusted only with a valid signature, at most 300 seconds old. */
export async function parseStripeWebhook(
  requests: StripeRequests,
  webhookSecret: string,
  rawBody: Buffer,
  signature: string | string[] | undefined,
): Promise<ProviderEvent> {
  if (typeof signature !== 'string') {
    return { kind: 'forged', reason: 'no signature' };
  }
  const { client } = await requests.load();
  let event: Stripe.Event;
  try {
    event = client.webhooks.constructEvent(rawBody, signature, webhookSecret, TOLERANCE_SECONDS);
  } catch {
    return { kind: 'forged', reason: 'the signature is wrong or too old' };
  }
  return readEvent(event);
}

/** The signature proves that it is from Stripe, but not that it matches the types. */
function readEvent(event: Stripe.Event): ProviderEvent {
  const { id: eventId, type } = event;
  const object: object | undefined = event.data?.object;
  if (typeof eventId !== 'string' || eventId.length > MAX_ID) {
    return { kind: 'forged', reason: 'not an event' };
  }
  const objectId = object !== undefined && 'id' in object ? object.id : undefined;
  if (typeof objectId !== 'string') {
    return { kind: 'other', eventId };
  }
  if (PAYMENT_EVENTS.has(type)) {
    return { kind: 'payment', eventId, paymentRef: objectId };
  }
  return type === 'payment_method.detached'
    ? { kind: 'method_detached', eventId, methodRef: objectId }
    : { kind: 'other', eventId };
}

const TOLERANCE_SECONDS = 300;
const MAX_ID = 255;

/** Not `payment_intent.created`: we created it, and nothing has happened to it yet. */
const PAYMENT_EVENTS: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.processing',
  'payment_intent.requires_action',
]);
