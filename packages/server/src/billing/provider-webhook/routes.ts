import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, notFound, type Route } from '../../http/index.ts';
import { type ProviderWebhookTools, receiveProviderEvent } from './receive-provider-event.ts';

/** The endpoint for events of payment providers. */
export function providerWebhookRoutes(tools: ProviderWebhookTools): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/providers/stripe/webhook',
      operationId: 'receiveStripeEvent',
      tag: 'Providers',
      summary: 'Receive a Stripe event',
      // Only for Stripe, which signs every byte; see docs/operating/payments.md.
      isInternal: true,
      access: ACCESS.public,
      takesRawBody: true,
      // Stripe sends from few addresses, and repeats refused requests.
      neverRefused: true,
      status: 200,
      response: Type.Object({ received: Type.Boolean() }),
      errors: { not_found: HTTP_ERRORS.not_found },
      handle: async (context, { rawBody }) => {
        if (tools.provider?.name !== 'stripe') {
          throw notFound('route');
        }
        await receiveProviderEvent(tools, tools.provider, rawBody, context.headers);
        return { data: { received: true } };
      },
    }),
  ];
}
