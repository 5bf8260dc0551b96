import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** The screens about money, each loaded when it is first shown. */
export function billingRoutes<Parent extends AnyRoute>(parent: Parent) {
  const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({ getParentRoute: () => parent, path, component });
  return [
    at(
      '/subscriptions',
      lazyRouteComponent(() => import('../subscriptions/subscriptions-screen.tsx'), 'SubscriptionsScreen'),
    ),
    at(
      '/subscriptions/new',
      lazyRouteComponent(() => import('../subscriptions/buy-screen.tsx'), 'BuyScreen'),
    ),
    at(
      '/subscriptions/$subscriptionId',
      lazyRouteComponent(() => import('../subscriptions/subscription-screen.tsx'), 'SubscriptionScreen'),
    ),
    at(
      '/invoices',
      lazyRouteComponent(() => import('../invoices/invoices-screen.tsx'), 'InvoicesScreen'),
    ),
    at(
      '/invoices/$invoiceId',
      lazyRouteComponent(() => import('../invoices/invoice-screen.tsx'), 'InvoiceScreen'),
    ),
    at(
      '/payment-methods',
      lazyRouteComponent(() => import('../payment-methods/payment-methods-screen.tsx'), 'PaymentMethodsScreen'),
    ),
    at(
      '/payment-methods/card',
      lazyRouteComponent(() => import('../payment-methods/card-screen.tsx'), 'CardScreen'),
    ),
    at(
      '/payment-methods/confirm',
      lazyRouteComponent(() => import('../billing/confirm-screen.tsx'), 'ConfirmScreen'),
    ),
    at(
      '/billing-details',
      lazyRouteComponent(() => import('../billing-details/billing-details-screen.tsx'), 'BillingDetailsScreen'),
    ),
    at(
      '/usage',
      lazyRouteComponent(() => import('../usage/usage-screen.tsx'), 'UsageScreen'),
    ),
  ];
}
