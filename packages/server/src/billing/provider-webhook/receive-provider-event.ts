import type { Queries } from '../../database/index.ts';
import { invalidRequest } from '../../http/index.ts';
import type { PaymentProvider, ProviderEvent } from '../payment-provider/payment-provider.ts';
import { hasHandledEvent, insertProviderEvent } from './queries.ts';

export interface ProviderWebhookTools {
  /** Only events of Stripe are received. */
  provider: PaymentProvider | undefined;
  database: Queries;
  /**
   * Looks up a payment and updates it. It may be called repeatedly, and for unknown payments: both must be harmless.
   */
  onPayment(paymentRef: string): Promise<void>;
  /** Removes a method that the provider detached; the same applies. */
  onMethodDetached(methodRef: string): Promise<void>;
}

/**
 * Handles an event of the provider after verifying its signature. It is marked as handled afterwards, so the provider
 * sends it again if handling fails. An event that arrives twice at the same time is handled twice, which is harmless.
 */
export async function receiveProviderEvent(
  tools: ProviderWebhookTools,
  provider: PaymentProvider,
  rawBody: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<void> {
  const event = await provider.parseWebhook(rawBody, headers);
  if (event.kind === 'forged') {
    throw invalidRequest(
      '',
      'malformed',
      'This is not an event from the payment provider, or its signature is invalid.',
    );
  }
  if (event.kind === 'other') {
    return;
  }
  const key = { provider: provider.name, eventId: event.eventId };
  if (await hasHandledEvent(tools.database, key)) {
    return;
  }
  await handle(tools, event);
  await insertProviderEvent(tools.database, key);
}

async function handle(
  tools: ProviderWebhookTools,
  event: Extract<ProviderEvent, { kind: 'payment' | 'method_detached' }>,
): Promise<void> {
  switch (event.kind) {
    case 'payment':
      return tools.onPayment(event.paymentRef);
    case 'method_detached':
      return tools.onMethodDetached(event.methodRef);
  }
}
