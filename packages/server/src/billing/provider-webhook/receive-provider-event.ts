import type { Queries } from '../../database/index.ts';
import { invalidRequest } from '../../http/index.ts';
import type { PaymentProvider, ProviderEvent } from '../payment-provider/payment-provider.ts';
import { insertProviderEvent, isEventHandled } from './queries.ts';

/** What receiving a provider's events needs. */
export interface ProviderWebhookDeps {
  /** Who moves the money here; only the events of Stripe are received. */
  provider: PaymentProvider | undefined;
  database: Queries;
  /** Looks up how a payment stands and writes it. Called again and for foreign payments, too: both must do no harm. */
  onPayment(paymentRef: string): Promise<void>;
  /** Removes a method that the provider untied; likewise. */
  onMethodDetached(methodRef: string): Promise<void>;
}

/**
 * Handles an event of the provider, once it has proved that it is one. It is noted after it was handled, so that whatever
 * fails meanwhile is sent again; what comes twice at once is handled twice, which does no harm.
 */
export async function receiveProviderEvent(
  deps: ProviderWebhookDeps,
  provider: PaymentProvider,
  rawBody: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<void> {
  const event = await provider.readWebhook(rawBody, headers);
  if (event.kind === 'forged') {
    throw invalidRequest('', 'malformed', 'This is no event of the payment provider, or its signature is not valid.');
  }
  if (event.kind === 'other' || (await isEventHandled(deps.database, provider.name, event.eventId))) {
    return;
  }
  await handle(deps, event);
  await insertProviderEvent(deps.database, provider.name, event.eventId);
}

async function handle(
  deps: ProviderWebhookDeps,
  event: Extract<ProviderEvent, { kind: 'payment' | 'method_detached' }>,
): Promise<void> {
  switch (event.kind) {
    case 'payment':
      return deps.onPayment(event.paymentRef);
    case 'method_detached':
      return deps.onMethodDetached(event.methodRef);
  }
}
