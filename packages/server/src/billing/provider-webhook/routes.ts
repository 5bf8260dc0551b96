import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, notFound, type Route } from '../../http/index.ts';
import { type ProviderWebhookDeps, receiveProviderEvent } from './receive-provider-event.ts';

/** Where payment providers send their events. */
export function providerWebhookRoutes(deps: ProviderWebhookDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/providers/stripe/webhook',
      operationId: 'receiveStripeEvent',
      tag: 'Providers',
      summary: 'Receive an event of Stripe',
      // It is for Stripe alone, which proves itself by a signature of every byte; see docs/operating/payments.md.
      isInternal: true,
      access: ACCESS.public,
      takesRawBody: true,
      // Stripe sends from few addresses, and what is refused to it comes later and more of it.
      neverRefused: true,
      status: 200,
      response: Type.Object({ received: Type.Boolean() }),
      errors: { not_found: HTTP_ERRORS.not_found },
      handle: async (context, { rawBody }) => {
        if (deps.provider?.name !== 'stripe') {
          throw notFound('route');
        }
        await receiveProviderEvent(deps, deps.provider, rawBody, context.headers);
        return { data: { received: true } };
      },
    }),
  ];
}
