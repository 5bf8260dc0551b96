import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { accessRoutes } from '../access/routes.ts';
import { currentUser, isLoggedOut, queryClient } from '../api/index.ts';
import { customerRoutes } from './customer-routes.ts';
import type { Facts } from './facts.ts';
import { NotFoundScreen, ScreenFailure } from './failures.tsx';

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundScreen,
  errorComponent: ScreenFailure,
});

/** Everything but the way in is for people who are logged in. */
const createShell = (hasSession: boolean) =>
  createRoute({
    getParentRoute: () => root,
    id: 'shell',
    component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
    beforeLoad: async ({ location }) => {
      if (!hasSession && queryClient.getQueryData(currentUser.queryKey) === undefined) {
        throw redirect({ to: '/login', search: { next: location.href } });
      }
      try {
        await queryClient.ensureQueryData(currentUser);
      } catch (error) {
        if (isLoggedOut(error)) {
          throw redirect({ to: '/login', search: { next: location.href } });
        }
        throw error;
      }
    },
  });

/** The router. Each screen is loaded when it is first shown, or when a pointer rests on a link to it. */
export function createDashboardRouter({ has_session: hasSession }: Facts) {
  const shell = createShell(hasSession);
  return createRouter({
    routeTree: root.addChildren([...accessRoutes(root), shell.addChildren(customerRoutes(shell))]),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ScreenFailure,
    defaultNotFoundComponent: NotFoundScreen,
  });
}
