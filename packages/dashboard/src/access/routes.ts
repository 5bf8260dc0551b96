import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readOnward } from './onward.ts';

/** The way in, for people who are not logged in. */
export function accessRoutes<Parent extends AnyRoute>(parent: Parent) {
  const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({ getParentRoute: () => parent, path, component, validateSearch: readOnward });
  return [
    at(
      '/login',
      lazyRouteComponent(() => import('./login-screen.tsx'), 'LoginScreen'),
    ),
    at(
      '/register',
      lazyRouteComponent(() => import('./register-screen.tsx'), 'RegisterScreen'),
    ),
    at(
      '/forgot-password',
      lazyRouteComponent(() => import('./forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
    ),
  ];
}
