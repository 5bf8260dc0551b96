import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { currentUser, queryClient } from '../api/index.ts';
import { readOnward } from './onward.ts';

/** The routes of the login screens. The first two redirect people who are already logged in. */
export function accessRoutes<Parent extends AnyRoute>(parent: Parent, hasSession: boolean) {
  const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component,
      validateSearch: readOnward,
      beforeLoad: async ({ search }) => {
        if (hasSession && FOR_STRANGERS.includes(path) && (await isLoggedIn())) {
          // The router's search also contains values dropped by validateSearch.
          throw redirect({ href: readOnward(search).next ?? '/' });
        }
      },
    });
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
      '/reset-password',
      lazyRouteComponent(() => import('./reset-password-screen.tsx'), 'ResetPasswordScreen'),
    ),
    at(
      '/verify-email',
      lazyRouteComponent(() => import('./verify-email-screen.tsx'), 'VerifyEmailScreen'),
    ),
    at(
      '/accept-invitation',
      lazyRouteComponent(() => import('./accept-invitation-screen.tsx'), 'AcceptInvitationScreen'),
    ),
    at(
      '/forgot-password',
      lazyRouteComponent(() => import('./forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
    ),
  ];
}

const FOR_STRANGERS = ['/login', '/register'];

/** A cookie may outlast its session. After a refusal, the request is not repeated. */
async function isLoggedIn(): Promise<boolean> {
  if (queryClient.getQueryState(currentUser.queryKey)?.status === 'error') {
    return false;
  }
  try {
    await queryClient.ensureQueryData(currentUser);
    return true;
  } catch {
    return false;
  }
}
