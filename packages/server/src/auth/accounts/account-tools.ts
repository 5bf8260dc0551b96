import type { ConnectedApps } from '../connected-apps.ts';
import type { LoginTools } from '../login-sessions/login-tools.ts';

/** What the use cases around a user's own account need besides the request. */
export interface AccountTools extends LoginTools {
  /** Where the pages are that mails lead to. */
  authUrl: string;
  connectedApps: ConnectedApps;
}
