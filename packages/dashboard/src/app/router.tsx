import {
  type AnyRouter,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { accessRoutes } from '../access/routes.ts';
import { actingFor, basePath, currentUser, isLoggedOut, PERSONAL_PATHS, queryClient } from '../api/index.ts';
import { staffRoutes } from '../staff/staff-routes.ts';
import { billingRoutes } from './billing-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import type { Facts } from './facts.ts';
import { NotFoundScreen, NothingHere, ScreenFailure } from './failures.tsx';

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundScreen,
  errorComponent: ScreenFailure,
});

/** Everything except the login screens requires a login. */
const createShell = (hasSession: boolean) =>
  createRoute({
    getParentRoute: () => root,
    id: 'shell',
    component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
    beforeLoad: async ({ location }) => {
      if (actingFor !== undefined) {
        leaveWhatIsNotForStaff(location.pathname);
      }
      if (isCardPage(location.pathname) !== STARTED_ON_CARD_PAGE) {
        // Only the pages that take cards may load Stripe.js, and leaving them unloads it.
        throw redirect({ href: location.href, reloadDocument: true });
      }
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

/** Throws a redirect. */
function leaveWhatIsNotForStaff(pathname: string): void {
  if (isPersonal(pathname)) {
    // From the customer's URL to the person's own.
    throw redirect({ href: pathname, reloadDocument: true });
  }
  if (isCardPage(pathname)) {
    // Staff never enter a customer's card, and Stripe.js is only allowed at the customer's own URL.
    throw redirect({ to: '/payment-methods' });
  }
}

function isPersonal(pathname: string): boolean {
  return [...PERSONAL_PATHS, '/staff'].some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

function isCardPage(pathname: string): boolean {
  return pathname === '/payment-methods/card' || pathname === '/payment-methods/confirm';
}

const STARTED_ON_CARD_PAGE = isCardPage(window.location.pathname);

/** The router. Each screen is loaded when it is first shown, or when a pointer hovers over a link to it. */
export function createDashboardRouter({ has_session: hasSession }: Facts) {
  const shell = createShell(hasSession);
  const router = createRouter({
    routeTree: root.addChildren([
      ...accessRoutes(root, hasSession),
      shell.addChildren([
        ...customerRoutes(shell),
        ...billingRoutes(shell),
        ...staffRoutes(shell),
        createRoute({ getParentRoute: () => shell, path: '$', component: NothingHere }),
      ]),
    ]),
    basepath: basePath,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ScreenFailure,
    defaultNotFoundComponent: NotFoundScreen,
  });
  if (hasSession) {
    loadFirstScreen(router);
  }
  return router;
}

/** Loads the code of the first screen while the API is asked who is logged in. Otherwise the router would wait for that. */
function loadFirstScreen(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    // A failure is shown when the router loads it.
    Promise.resolve(router.loadRouteChunk(router.routesById[routeId])).catch(() => undefined);
  }
}
