import type { PaymentProvider } from '../payment-provider.ts';
import { parseStripeWebhook } from './parse-stripe-webhook.ts';
import { maxStripeAmount, minStripeAmount } from './stripe-amount.ts';
import { createStripeCharges } from './stripe-charges.ts';
import { createStripeMethods } from './stripe-methods.ts';
import { type StripeLog, StripeRequests } from './stripe-requests.ts';
import { createStripeSearches } from './stripe-searches.ts';

/** The connection to Stripe, and its secrets. */
export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** Another address of the API, http(s)://host:port. Over http the key can be intercepted. */
  apiBase?: string | undefined;
  log?: StripeLog | undefined;
  /** Milliseconds without a byte after which a request is aborted; its outcome is then unknown. */
  timeoutMs?: number;
}

/** Payments by Stripe: customers, cards and PaymentIntents only. The SDK is loaded at the first use. */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const { secretKey, apiBase, timeoutMs = TIMEOUT_MS } = options;
  const requests = new StripeRequests({ secretKey, apiBase, timeoutMs }, options.log);
  return {
    name: 'stripe',
    maxAmount: maxStripeAmount,
    minAmount: minStripeAmount,
    ...createStripeMethods(requests),
    ...createStripeCharges(requests),
    ...createStripeSearches(requests),
    parseWebhook: (rawBody, headers) =>
      parseStripeWebhook(requests, options.webhookSecret, rawBody, headers['stripe-signature']),
  };
}

const TIMEOUT_MS = 10_000;
