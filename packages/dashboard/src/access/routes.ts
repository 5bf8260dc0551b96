import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { currentUser, queryClient } from '../api/index.ts';
import { readOnward } from './onward.ts';

/** The way in. Who is logged in already has no use for its first two screens. */
export function accessRoutes<Parent extends AnyRoute>(parent: Parent, hasSession: boolean) {
  const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component,
      validateSearch: readOnward,
      beforeLoad: async ({ search }) => {
        if (hasSession && FOR_STRANGERS.includes(path) && (await isLoggedIn())) {
          // What the router passes on holds what was dropped by validateSearch too.
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

/** A cookie may outlast its session. What was refused once is not asked again. */
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
