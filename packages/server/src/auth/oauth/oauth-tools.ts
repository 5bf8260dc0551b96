import type { AuthDeps, LoginTools } from '../auth-tools.ts';

/** What the authorization server and its pages are made with. */
export type OauthTools = Pick<
  AuthDeps,
  'database' | 'masterKey' | 'log' | 'authUrl' | 'apiTokenPrefix' | 'mailer' | 'outbox' | 'baseUrl'
> & {
  login: LoginTools;
};
