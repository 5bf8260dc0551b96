import type { AuditActor } from '../audit/index.ts';
import { systemPause } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { Reaction } from '../events/index.ts';
import {
  type ApiFragment,
  type AppOrigins,
  httpError,
  type Mount,
  type Route,
  type TokenResolver,
} from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { PasswordHasher } from '../security/index.ts';
import { forgettingJobs } from './account-deletion/jobs.ts';
import { accountDeletionRoutes } from './account-deletion/routes.ts';
import { accountExportRoutes } from './account-export/routes.ts';
import { createApiToken } from './api-tokens/create-api-token.ts';
import { LastUse } from './api-tokens/last-use.ts';
import type { TokenOwner } from './api-tokens/queries.ts';
import { apiTokenRoutes } from './api-tokens/routes.ts';
import type { ApiTokenInput, CreatedApiToken } from './api-tokens/schemas.ts';
import type { AuthDeps } from './auth-tools.ts';
import { createTokenResolver } from './bearer-tokens/resolve-token.ts';
import { emailVerificationRoutes } from './email-verification/routes.ts';
import { authJobs } from './jobs.ts';
import { type Account, createAccount } from './login-sessions/create-account.ts';
import { LoginPace } from './login-sessions/login-pace.ts';
import { OwnPasswordTurns } from './login-sessions/own-password-turns.ts';
import { checkRegistration } from './login-sessions/registration-rules.ts';
import { loginSessionRoutes } from './login-sessions/routes.ts';
import type { Registration } from './login-sessions/schemas.ts';
import { describeOauth } from './oauth/describe-oauth.ts';
import { openOauth } from './oauth/open-oauth.ts';
import { openAppOrigins } from './oauth-apps/app-origins.ts';
import { oauthAppRoutes } from './oauth-apps/routes.ts';
import { oauthGrantRoutes } from './oauth-grants/routes.ts';
import { ON_ORG_DELETED } from './on-org-deleted.ts';
import { ON_ORG_MEMBER_REMOVED } from './on-org-member-removed.ts';
import { ownLoginRoutes } from './own-logins/routes.ts';
import { passwordResetRoutes } from './password-reset/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { createLeakRevoker } from './revoke-leaked-token.ts';
import { twoFactorRoutes } from './two-factor/routes.ts';

/** The room, opened: what the application serves and runs, and what other rooms may ask. */
export interface Auth {
  routes: Route[];
  jobs: Job[];
  /** What happens here when something happens in another room. */
  reactions: Reaction[];
  tokens: TokenResolver;
  /** The authorization server: what it serves beside the API. */
  oauth: Mount;
  /** The same for the API reference. */
  describedOauth: ApiFragment;
  /** Which sites the OAuth apps are at. */
  appOrigins: AppOrigins;
  /** Writes a user and an organization, by the same rules as POST /v1/auth/register but without a login. */
  registerUser(database: Queries, registration: Registration & { organizationName: string }): Promise<Account>;
  /** Makes an API token in the operator's name, by the same rules as POST /v1/api-tokens. */
  createApiToken(database: Queries, owner: TokenOwner, input: ApiTokenInput): Promise<CreatedApiToken>;
  /** Writes what is still only remembered; call it when the service stops, while the database is still there. */
  close(): Promise<void>;
}

/** Opens the room for one environment. */
export function openAuth(deps: AuthDeps): Auth {
  const passwords = new PasswordHasher(deps.config.argon2, {
    ...HASHING,
    concurrent: deps.hashesAtOnce ?? HASHING.concurrent,
  });
  const lastUse = new LastUse(deps.clock);
  const pace = new LoginPace({ clock: deps.clock, pause: deps.pause ?? systemPause, overflow: HASHING.overflow });
  const ownPasswordTurns = new OwnPasswordTurns();
  const loginTools = { ...deps, passwords, lifetimes: deps.config, pace, ownPasswordTurns };
  const oauth = openOauth({ ...deps, login: loginTools });
  return {
    routes: [
      ...loginSessionRoutes(deps.database, loginTools),
      ...twoFactorRoutes(loginTools),
      ...profileRoutes(loginTools),
      ...(deps.forgetting === undefined ? [] : accountDeletionRoutes({ ...loginTools, ...deps.forgetting })),
      ...accountExportRoutes(),
      ...passwordResetRoutes(loginTools),
      ...emailVerificationRoutes(loginTools),
      ...ownLoginRoutes(),
      ...apiTokenRoutes(deps.apiTokenPrefix),
      ...oauthAppRoutes(),
      ...oauthGrantRoutes(),
    ],
    jobs: [...authJobs(deps, lastUse), ...oauth.jobs, ...forgettingJobs(deps)],
    oauth: oauth.mount,
    describedOauth: describeOauth(deps.authUrl, deps.baseUrl),
    appOrigins: openAppOrigins(deps.database),
    reactions: [ON_ORG_MEMBER_REMOVED, ON_ORG_DELETED],
    tokens: {
      ...createTokenResolver({
        database: deps.database,
        apiTokenPrefix: deps.apiTokenPrefix,
        onApiTokenUsed: (organizationId, tokenId) => lastUse.note(organizationId, tokenId),
      }),
      revokeLeaked: createLeakRevoker(deps),
    },
    async registerUser(database, registration) {
      const { email, name, password } = checkRegistration(registration);
      const passwordHash = await passwords.hash(password);
      const { organizationName } = registration;
      return database.transaction((tx) => createAccount(tx, { email, name, passwordHash, organizationName }));
    },
    createApiToken: (database, owner, input) =>
      createApiToken(database, { owner, actor: operatorIn(owner.organizationId), prefix: deps.apiTokenPrefix }, input),
    close: async () => {
      while (await lastUse.write(deps.database)) {
        // There is another portion.
      }
    },
  };
}

/** The operator's commands act without a user and a request. */
function operatorIn(organizationId: string): AuditActor {
  const nobody = { userId: null, credentialId: null, requestId: null, clientAddress: null };
  return { organizationId, credentialKind: 'operator', ...nobody };
}

/**
 * Two at once: hashing fills the processor, and the thread pool of four also signs license tokens. At some 20 ms each,
 * two hundred that wait are answered within two seconds.
 */
const HASHING = {
  concurrent: 2,
  maxWaiting: 200,
  overflow: () =>
    httpError('service_unavailable', 'Too many logins at once; try again in a moment.', {
      headers: { 'retry-after': '2' },
    }),
};
