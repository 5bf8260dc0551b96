import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** Each screen is loaded when it is first shown. */
const SCREENS: ReadonlyArray<readonly [path: string, component: ReturnType<typeof lazyRouteComponent>]> = [
  ['/', lazyRouteComponent(() => import('./overview/overview-screen.tsx'), 'StaffOverviewScreen')],
  ['/customers', lazyRouteComponent(() => import('./customers/customers-screen.tsx'), 'CustomersScreen')],
  ['/customers/$organizationId', lazyRouteComponent(() => import('./customers/customer-screen.tsx'), 'CustomerScreen')],
  ['/users', lazyRouteComponent(() => import('./users/users-screen.tsx'), 'UsersScreen')],
  ['/users/$userId', lazyRouteComponent(() => import('./users/user-screen.tsx'), 'UserScreen')],
  ['/licenses', lazyRouteComponent(() => import('./licenses/licenses-screen.tsx'), 'StaffLicensesScreen')],
  ['/licenses/$licenseId', lazyRouteComponent(() => import('./licenses/license-screen.tsx'), 'StaffLicenseScreen')],
  ['/refusals', lazyRouteComponent(() => import('./licenses/refusals-screen.tsx'), 'RefusalsScreen')],
  ['/explain', lazyRouteComponent(() => import('./licenses/explain-screen.tsx'), 'ExplainScreen')],
  ['/subscriptions', lazyRouteComponent(() => import('./money/subscriptions-screen.tsx'), 'StaffSubscriptionsScreen')],
  ['/invoices', lazyRouteComponent(() => import('./money/invoices-screen.tsx'), 'StaffInvoicesScreen')],
  ['/payments', lazyRouteComponent(() => import('./money/payments-screen.tsx'), 'PaymentsScreen')],
  ['/exports', lazyRouteComponent(() => import('./money/exports-screen.tsx'), 'ExportsScreen')],
  ['/audit-log', lazyRouteComponent(() => import('./audit/audit-log-screen.tsx'), 'StaffAuditLogScreen')],
  ['/requests/$requestId', lazyRouteComponent(() => import('./search/request-screen.tsx'), 'RequestScreen')],
  ['/catalogue', lazyRouteComponent(() => import('./catalogue/catalogue-screen.tsx'), 'CatalogueScreen')],
  ['/products', lazyRouteComponent(() => import('./catalogue/products-screen.tsx'), 'ProductsScreen')],
  ['/team', lazyRouteComponent(() => import('./team/staff-screen.tsx'), 'StaffScreen')],
  ['/tokens', lazyRouteComponent(() => import('./team/tokens-screen.tsx'), 'TokensScreen')],
];

/** The screens of the vendor's staff. */
export function staffRoutes<Parent extends AnyRoute>(parent: Parent) {
  const area = createRoute({
    getParentRoute: () => parent,
    path: '/staff',
    component: lazyRouteComponent(() => import('./frame/staff-area.tsx'), 'StaffArea'),
  });
  return [
    area.addChildren(SCREENS.map(([path, component]) => createRoute({ getParentRoute: () => area, path, component }))),
  ];
}
