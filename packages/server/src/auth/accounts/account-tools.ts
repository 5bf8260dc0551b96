import type { ConnectedApps } from '../connected-apps.ts';
import type { LoginTools } from '../login-sessions/login-tools.ts';

/** The dependencies of the use cases around a user's own account. */
export interface AccountTools extends LoginTools {
  /** Public address of the environment's API. */
  baseUrl: string;
  connectedApps: ConnectedApps;
}
