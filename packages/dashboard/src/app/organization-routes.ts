import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** The screens of apps, and of the organization itself, each loaded when it is first shown. */
export function organizationRoutes<Parent extends AnyRoute>(parent: Parent) {
  const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({ getParentRoute: () => parent, path, component });
  return [
    at(
      '/oauth-apps',
      lazyRouteComponent(() => import('../oauth-apps/oauth-apps-screen.tsx'), 'OauthAppsScreen'),
    ),
    at(
      '/oauth-apps/$appId',
      lazyRouteComponent(() => import('../oauth-apps/oauth-app-screen.tsx'), 'OauthAppScreen'),
    ),
    at(
      '/connected-apps',
      lazyRouteComponent(() => import('../connected-apps/connected-apps-screen.tsx'), 'ConnectedAppsScreen'),
    ),
    at(
      '/settings',
      lazyRouteComponent(() => import('../settings/settings-screen.tsx'), 'SettingsScreen'),
    ),
  ];
}
