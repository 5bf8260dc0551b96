import type { PaymentProvider } from '../payment-provider.ts';
import { StripeDesk, type StripeLog } from './ask-stripe.ts';
import { readStripeWebhook } from './read-stripe-webhook.ts';
import { maxStripeAmount, minStripeAmount } from './stripe-amount.ts';
import { openStripeCharges } from './stripe-charges.ts';
import { openStripeMethods } from './stripe-methods.ts';
import { openStripeSearches } from './stripe-searches.ts';

/** What Stripe is opened with. */
export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** Another address of the API, http(s)://host:port. Over http the key can be read on the way. */
  apiBase?: string | undefined;
  log?: StripeLog | undefined;
  /** Without a byte for this long, in milliseconds, a request is given up: its outcome is unknown then. */
  timeoutMs?: number;
}

/** Payments by Stripe: customers, cards and PaymentIntents, and nothing else of it. The SDK is loaded at the first use. */
export function openStripeProvider(options: StripeOptions): PaymentProvider {
  const { secretKey, apiBase, timeoutMs = TIMEOUT_MS } = options;
  const desk = new StripeDesk({ secretKey, apiBase, timeoutMs }, options.log);
  return {
    name: 'stripe',
    maxAmount: maxStripeAmount,
    minAmount: minStripeAmount,
    ...openStripeMethods(desk),
    ...openStripeCharges(desk),
    ...openStripeSearches(desk),
    readWebhook: (rawBody, headers) =>
      readStripeWebhook(desk, options.webhookSecret, rawBody, headers['stripe-signature']),
  };
}

const TIMEOUT_MS = 10_000;
