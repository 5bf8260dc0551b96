import type { Reaction } from '../events/index.ts';
import type { ApiFragment, AppOrigins, Mount, Route } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { createAppOrigins } from './apps/app-origins.ts';
import { oauthAppRoutes } from './apps/routes.ts';
import { describeOauth } from './describe-oauth.ts';
import { createOauthMount, type LoadProvider } from './endpoints.ts';
import { oauthGrantRoutes } from './grants/routes.ts';
import { oauthJobs } from './jobs.ts';
import type { OauthSettings, OauthTools } from './oauth-tools.ts';
import { ON_ORG_DELETED } from './on-org-deleted.ts';
import { ON_ORG_MEMBER_REMOVED } from './on-org-member-removed.ts';

/** The room: what the application serves and runs. */
export interface Oauth {
  routes: Route[];
  jobs: Job[];
  reactions: Reaction[];
  /** The authorization server, alongside the API. */
  mount: Mount;
  /** The same for the API reference. */
  described: ApiFragment;
  /** The origins of the apps. */
  appOrigins: AppOrigins;
}

/** Creates the authorization server of one environment, and the endpoints that manage its apps and grants. */
export function createOauth(settings: OauthSettings): Oauth {
  const { authUrl, baseUrl, config, isSandbox } = settings;
  const basePath = new URL(authUrl).pathname.replace(/\/$/, '');
  const site = { basePath, productName: config.brand.name, brand: config.brand, dashboardUrl: baseUrl, isSandbox };
  const tools: OauthTools = { ...settings, site };
  return {
    routes: [...oauthAppRoutes(), ...oauthGrantRoutes()],
    jobs: oauthJobs(tools),
    reactions: [ON_ORG_MEMBER_REMOVED, ON_ORG_DELETED],
    mount: createOauthMount(tools, loadOnce(tools)),
    described: describeOauth(tools.authUrl, tools.baseUrl),
    appOrigins: createAppOrigins(tools.database),
  };
}

/**
 * The library is loaded at the first request that needs it, because many installations never use OAuth, and it takes
 * megabytes.
 */
function loadOnce(tools: OauthTools): LoadProvider {
  let loading: ReturnType<LoadProvider> | undefined;
  return () => {
    loading ??= import('./provider/create-provider.ts').then(({ createProvider }) => createProvider(tools));
    return loading;
  };
}
