import type Stripe from 'stripe';
import { createStrictHttpClient } from './strict-http-client.ts';

/** The connection to Stripe. */
export interface StripeSettings {
  secretKey: string;
  /** Another address of the API, http(s)://host:port. */
  apiBase?: string | undefined;
  /** Milliseconds without a byte after which a request is aborted. */
  timeoutMs: number;
}

/** The SDK, loaded. */
export interface LoadedStripe {
  client: Stripe;
  isStripeError(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError>;
}

/**
 * Loads the SDK, 23 MB on disk, and creates a client. Called at the first use, so that only installations that use
 * Stripe load it.
 */
export async function loadStripe(settings: StripeSettings): Promise<LoadedStripe> {
  const { default: Sdk } = await import('stripe');
  const client = new Sdk(settings.secretKey, {
    // The caller retries with the same key, and knows when to stop. The SDK itself still repeats a request once if its
    // connection was closed, which the key makes harmless.
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: settings.timeoutMs,
    httpClient: createStrictHttpClient(Sdk.createNodeHttpClient()),
    ...addressOf(settings.apiBase),
  });
  return {
    client,
    isStripeError: (error): error is InstanceType<typeof Sdk.errors.StripeError> =>
      error instanceof Sdk.errors.StripeError,
  };
}

function addressOf(apiBase: string | undefined): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (apiBase === undefined) {
    return {};
  }
  const { protocol, hostname, port } = new URL(apiBase);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (protocol === 'http:' ? 80 : 443),
    protocol: protocol === 'http:' ? 'http' : 'https',
  };
}
