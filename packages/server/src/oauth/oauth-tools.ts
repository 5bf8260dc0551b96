import type { AccountTools, AuthTools } from '../auth/index.ts';
import type { PageSite } from './pages/layout.ts';

/** The settings of the room. */
export interface OauthSettings
  extends Pick<
    AuthTools,
    'database' | 'masterKey' | 'log' | 'clock' | 'authUrl' | 'apiTokenPrefix' | 'mailer' | 'outbox' | 'baseUrl'
  > {
  config: Pick<AuthTools['config'], 'retentionTokensDays' | 'brand'>;
  isSandbox: boolean;
  /** The dependencies of logging users in. */
  login: AccountTools;
}

/** The dependencies of the authorization server and its pages. */
export interface OauthTools extends OauthSettings {
  site: PageSite;
}
