import type { AccountTools, AuthTools } from '../auth/index.ts';
import type { PageSite } from './pages/layout.ts';

/** What the room is created with. */
export interface OauthSettings
  extends Pick<
    AuthTools,
    'database' | 'masterKey' | 'log' | 'clock' | 'authUrl' | 'apiTokenPrefix' | 'mailer' | 'outbox' | 'baseUrl'
  > {
  config: Pick<AuthTools['config'], 'retentionTokensDays' | 'brand'>;
  isSandbox: boolean;
  /** What the pages log users in with. */
  login: AccountTools;
}

/** What the authorization server and its pages need. */
export interface OauthTools extends OauthSettings {
  site: PageSite;
}
