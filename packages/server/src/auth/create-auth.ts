import type { AuditActor } from '../audit/index.ts';
import { systemPause } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { Reaction } from '../events/index.ts';
import { httpError, type Route, SessionCookies, type TokenResolver } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { PasswordHasher, TOKEN_PREFIXES } from '../security/index.ts';
import { forgettingJobs } from './account-deletion/jobs.ts';
import { accountDeletionRoutes } from './account-deletion/routes.ts';
import { accountExportRoutes } from './account-export/routes.ts';
import type { AccountTools } from './accounts/account-tools.ts';
import { type Account, createAccount } from './accounts/create-account.ts';
import { checkRegistration } from './accounts/registration-rules.ts';
import { accountRoutes, registerRoute } from './accounts/routes.ts';
import type { Registration } from './accounts/schemas.ts';
import { createApiToken } from './api-tokens/create-api-token.ts';
import { LastUse } from './api-tokens/last-use.ts';
import type { TokenOwner } from './api-tokens/queries.ts';
import { apiTokenRoutes } from './api-tokens/routes.ts';
import type { ApiTokenInput, CreatedApiToken } from './api-tokens/schemas.ts';
import type { AuthTools } from './auth-tools.ts';
import { createTokenResolver } from './bearer-tokens/resolve-token.ts';
import { authJobs } from './jobs.ts';
import { CookieRenewal, renewCookiesJob } from './login-sessions/cookie-renewal.ts';
import { LoginThrottle } from './login-sessions/login-throttle.ts';
import { loginSessionRoutes } from './login-sessions/routes.ts';
import { ON_ORG_MEMBER_REMOVED } from './on-org-member-removed.ts';
import { operatedUserRoutes } from './operated-users/routes.ts';
import { operatorTokenRoutes } from './operator-tokens/routes.ts';
import { PasswordCheckQueue } from './passwords/password-check-queue.ts';
import { portalLinkRoutes } from './portal-links/routes.ts';
import { createLeakRevoker } from './revoke-leaked-token.ts';
import { staffRoutes } from './staff/routes.ts';
import { twoFactorRoutes } from './two-factor/routes.ts';

/** The room: what the application serves and runs, and what other rooms may call. */
export interface Auth {
  routes: Route[];
  jobs: Job[];
  /** Reactions to events of other rooms. */
  reactions: Reaction[];
  tokens: TokenResolver;
  /** The cookies of browser sessions. */
  cookies: SessionCookies;
  /** The dependencies that the login pages of the room above need. */
  accountTools: AccountTools;
  /** Creates a user and an organization, by the same rules as POST /v1/auth/register but without a login. */
  registerUser(database: Queries, registration: Registration & { organizationName: string }): Promise<Account>;
  /** Creates an API token on behalf of the operator, by the same rules as POST /v1/api-tokens. */
  createApiToken(database: Queries, owner: TokenOwner, input: ApiTokenInput): Promise<CreatedApiToken>;
  /** Writes what is only in memory. Call it when the service stops, while the database is still connected. */
  close(): Promise<void>;
}

/** Creates the room for one environment. */
export function createAuth(tools: AuthTools): Auth {
  const { database, clock, apiTokenPrefix, forgetting } = tools;
  const accountTools = createAccountTools(tools);
  const { passwords } = accountTools;
  const lastUse = new LastUse(clock);
  const renewal = new CookieRenewal(clock, tools.config.refreshTokenTtlSeconds);
  return {
    routes: [
      registerRoute(accountTools),
      ...loginSessionRoutes(accountTools),
      ...twoFactorRoutes(accountTools),
      ...accountRoutes(database, accountTools),
      ...(forgetting === undefined ? [] : accountDeletionRoutes({ ...tools, ...accountTools, ...forgetting })),
      ...accountExportRoutes(),
      ...apiTokenRoutes(apiTokenPrefix),
      ...operatedUserRoutes(accountTools),
      ...staffRoutes({ ...accountTools, authUrl: tools.authUrl }),
      ...operatorTokenRoutes(),
      ...portalLinkRoutes(tools),
    ],
    jobs: [...authJobs(tools, lastUse), renewCookiesJob(database, renewal), ...forgettingJobs(tools)],
    reactions: [ON_ORG_MEMBER_REMOVED],
    tokens: {
      ...createTokenResolver({
        database,
        apiTokenPrefix,
        cookiePrefix: accountTools.cookies.prefix,
        onApiTokenUsed: (organizationId, tokenId) => lastUse.note(organizationId, tokenId),
        onCookieUsed: (userId, loginId) => renewal.note(userId, loginId),
      }),
      revokeLeaked: createLeakRevoker(tools),
    },
    cookies: accountTools.cookies,
    accountTools,
    async registerUser(queries, registration) {
      const { email, name, password } = checkRegistration(registration);
      const passwordHash = await passwords.hash(password);
      const { organizationName } = registration;
      return queries.transaction((tx) => createAccount(tx, { email, name, passwordHash, organizationName }));
    },
    createApiToken: (queries, owner, input) =>
      createApiToken(queries, { owner, actor: operatorIn(owner.organizationId), prefix: apiTokenPrefix }, input),
    close: async () => {
      while (await lastUse.write(database)) {
        // There is another portion.
      }
    },
  };
}

function createAccountTools(tools: AuthTools): AccountTools {
  const { clock, config, masterKey, mailer, baseUrl, connectedApps, pause = systemPause, isSandbox } = tools;
  const isProduction = tools.apiTokenPrefix === TOKEN_PREFIXES.apiLive;
  const concurrent = tools.hashesAtOnce ?? HASHING.concurrent;
  return {
    passwords: new PasswordHasher(config.argon2, { ...HASHING, concurrent }),
    passwordChecks: new PasswordCheckQueue(),
    throttle: new LoginThrottle({ clock, pause, overflow: HASHING.overflow }),
    lifetimes: config,
    cookies: new SessionCookies(baseUrl, isProduction ? TOKEN_PREFIXES.cookieLive : TOKEN_PREFIXES.cookieTest),
    masterKey,
    // A person with accounts in both environments has to see which code belongs to which.
    issuer: isSandbox ? `${config.brand.name} sandbox` : config.brand.name,
    clock,
    mailer,
    baseUrl,
    connectedApps,
  };
}

/** The operator's commands act without a user and a request. */
function operatorIn(organizationId: string): AuditActor {
  const nobody = { userId: null, credentialId: null, requestId: null, clientAddress: null };
  return { organizationId, credentialKind: 'operator', ...nobody };
}

/**
 * Two at a time: hashing is CPU-bound, and the thread pool of four also signs license tokens. At about 20 ms each, a
 * queue of two hundred is answered within two seconds.
 */
const HASHING = {
  concurrent: 2,
  maxWaiting: 200,
  overflow: () =>
    httpError('service_unavailable', 'Too many simultaneous logins. Try again in a moment.', {
      headers: { 'retry-after': '2' },
    }),
};
