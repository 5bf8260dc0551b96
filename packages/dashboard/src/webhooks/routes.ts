import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** The screens of webhooks, in the dashboard and in the portal. */
export function webhookRoutes<Parent extends AnyRoute>(parent: Parent) {
  const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({ getParentRoute: () => parent, path, component });
  return [
    at(
      '/webhooks',
      lazyRouteComponent(() => import('./webhooks-screen.tsx'), 'WebhooksScreen'),
    ),
    at(
      '/webhooks/$webhookId',
      lazyRouteComponent(() => import('./webhook-screen.tsx'), 'WebhookScreen'),
    ),
    at(
      '/webhooks/$webhookId/deliveries/$deliveryId',
      lazyRouteComponent(() => import('./delivery-screen.tsx'), 'DeliveryScreen'),
    ),
  ];
}
