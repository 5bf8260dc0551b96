import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { webhookRoutes } from '../webhooks/routes.ts';
import { organizationRoutes } from './organization-routes.ts';

/** The screens of customers, each loaded when it is first shown. */
export function customerRoutes<Parent extends AnyRoute>(parent: Parent) {
  const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({ getParentRoute: () => parent, path, component });
  return [
    at(
      '/',
      lazyRouteComponent(() => import('../overview/overview-screen.tsx'), 'OverviewScreen'),
    ),
    at(
      '/licenses',
      lazyRouteComponent(() => import('../licenses/licenses-screen.tsx'), 'LicensesScreen'),
    ),
    at(
      '/licenses/$licenseId',
      lazyRouteComponent(() => import('../licenses/license-screen.tsx'), 'LicenseScreen'),
    ),
    at(
      '/api-keys',
      lazyRouteComponent(() => import('../api-keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
    ),
    ...webhookRoutes(parent),
    at(
      '/events',
      lazyRouteComponent(() => import('../events/events-screen.tsx'), 'EventsScreen'),
    ),
    at(
      '/events/$eventId',
      lazyRouteComponent(() => import('../events/event-screen.tsx'), 'EventScreen'),
    ),
    at(
      '/projects',
      lazyRouteComponent(() => import('../projects/projects-screen.tsx'), 'ProjectsScreen'),
    ),
    at(
      '/audit-log',
      lazyRouteComponent(() => import('../audit-log/audit-log-screen.tsx'), 'AuditLogScreen'),
    ),
    at(
      '/members',
      lazyRouteComponent(() => import('../members/members-screen.tsx'), 'MembersScreen'),
    ),
    ...organizationRoutes(parent),
    at(
      '/account',
      lazyRouteComponent(() => import('../account/account-screen.tsx'), 'AccountScreen'),
    ),
  ];
}
