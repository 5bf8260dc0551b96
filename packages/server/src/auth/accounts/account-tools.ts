import type { ConnectedApps } from '../connected-apps.ts';
import type { LoginTools } from '../login-sessions/login-tools.ts';

/** What the use cases around a user's own account need besides the request. */
export interface AccountTools extends LoginTools {
  /** Public address of the environment's API. */
  baseUrl: string;
  connectedApps: ConnectedApps;
}
